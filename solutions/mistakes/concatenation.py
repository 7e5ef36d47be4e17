"""Notebook 4: mistakes made in stacking heads, in mixing, in taking omega_c apart, in putting it all together."""

from helpers.teach.mistakes import Mistake

JOINED = "np.concatenate(Sa_list, axis=0)"
BELOW_BY_ONE = """np.zeros((sum(map(len, Sa_list)), Sa_list[0].shape[1]))
    for h, Sa in enumerate(Sa_list):
        stacked[h : h + len(Sa)] = Sa"""

STACK_HEADS = [
    Mistake(
        "heads_side_by_side",
        "stack_heads",
        "axis=0",
        "axis=1",
        shows="the heads stand side by side, not one above the other",
        asks="Which axis of an output runs over the rows, and which over the tokens?",
    ),
    Mistake(
        "heads_side_by_side_reshaped",
        "stack_heads",
        JOINED,
        "np.hstack(Sa_list).reshape(-1, Sa_list[0].shape[1])",
        shows="heads that stand side by side are cut into rows anew",
        asks="In which order does reshape read the entries, and whose rows does it put together?",
    ),
    Mistake(
        "rows_of_heads_take_turns",
        "stack_heads",
        JOINED,
        "np.stack(Sa_list, axis=1).reshape(-1, Sa_list[0].shape[1])",
        shows="the rows of the heads take turns",
        asks="Whose row is the second from the top, and whose should it be?",
    ),
    Mistake(
        "last_head_on_top",
        "stack_heads",
        "(Sa_list, ",
        "(Sa_list[::-1], ",
        shows="the rows of the last head stand on top",
        asks="Which head does the docstring put first?",
    ),
    Mistake(
        "stacked_heads_added",
        "stack_heads",
        JOINED,
        "sum(Sa_list)",
        shows="the outputs of the heads are added up, not stacked",
        asks="How many rows do H heads of D_q rows have together?",
    ),
    Mistake(
        "stacked_heads_averaged",
        "stack_heads",
        JOINED,
        "np.mean(Sa_list, axis=0)",
        shows="the outputs of the heads are averaged, not stacked",
        asks="Can you tell from an average which head said what?",
    ),
    Mistake(
        "stacked_rows_shared",
        "stack_heads",
        JOINED,
        JOINED + " / len(Sa_list)",
        shows="the rows are divided by the number of heads",
        asks="Does putting rows one above the other change any number in them?",
    ),
    Mistake(
        "heads_on_an_axis_of_their_own",
        "stack_heads",
        JOINED,
        "np.array(Sa_list)",
        shows="the heads are kept apart on an axis of their own",
        asks="How many axes has your result, and how many has a matrix?",
    ),
    Mistake(
        "first_head_stacked_only",
        "stack_heads",
        JOINED,
        "Sa_list[0]",
        shows="only the output of head 1 comes back from the stacking",
        asks="Where do the other heads go?",
    ),
    Mistake(
        "last_head_stacked_only",
        "stack_heads",
        JOINED,
        "Sa_list[-1]",
        shows="only the output of the last head comes back from the stacking",
        asks="Does each round of a loop keep what the rounds before it made?",
    ),
    Mistake(
        "two_heads_stacked_only",
        "stack_heads",
        "(Sa_list, ",
        "(Sa_list[:2], ",
        shows="no more than two heads are stacked",
        asks="What becomes of a third head?",
    ),
    Mistake(
        "first_head_stacked_throughout",
        "stack_heads",
        "(Sa_list, ",
        "([Sa_list[0]] * len(Sa_list), ",
        shows="the rows of head 1 are stacked in place of every head's",
        asks="Which index of the list stays the same where it should move on?",
    ),
    Mistake(
        "last_head_stacked_throughout",
        "stack_heads",
        "(Sa_list, ",
        "([Sa_list[-1]] * len(Sa_list), ",
        shows="the rows of the last head are stacked in place of every head's",
        asks="Is one array written over again and again, and put into the list each time?",
    ),
    Mistake(
        "first_head_stacked_twice",
        "stack_heads",
        "(Sa_list, ",
        "([Sa_list[0], *Sa_list], ",
        shows="head 1 stands in the stack twice",
        asks="You begin with head 1. At which head does the loop begin?",
    ),
    Mistake(
        "stack_turned_over",
        "stack_heads",
        JOINED,
        JOINED + ".T",
        shows="the stack is turned over, with its tokens as rows",
        asks="Where do the tokens stand in each output, and where in your stack?",
    ),
    Mistake(
        "heads_turned_over_before_stacking",
        "stack_heads",
        "(Sa_list, ",
        "([Sa.T for Sa in Sa_list], ",
        shows="each output is turned over before it is stacked",
        asks="Which side of an output is D_q long, and which side grows in the stack?",
    ),
    Mistake(
        "stacked_heads_overlap",
        "stack_heads",
        JOINED,
        BELOW_BY_ONE,
        shows="each head begins one row below the beginning of the last, overwriting it",
        asks="In which row should head 2 begin, if head 1 has D_q rows?",
    ),
]

MIX = [
    Mistake(
        "recipes_read_down",
        "mix",
        "omega_c @",
        "omega_c.T @",
        shows="the recipes are read from the columns of omega_c, not from its rows",
        asks="Which of row and column of omega_c belongs to output row 1?",
    ),
    Mistake(
        "stack_mixture_factors_exchanged",
        "mix",
        "omega_c @ stacked",
        "stacked @ omega_c",
        shows="the stack and omega_c have changed places in the product",
        asks="Do you want mixtures of rows or mixtures of tokens? Which factor comes first for that?",
    ),
    Mistake(
        "stack_mixture_entry_by_entry",
        "mix",
        "omega_c @",
        "omega_c *",
        shows="the stack and omega_c are multiplied entry by entry",
        asks="Which sign multiplies entry by entry, and which sums over rows and columns?",
    ),
    Mistake(
        "stack_not_mixed",
        "mix",
        "return X_prime",
        "return stacked",
        shows="the stacked rows come back as they are, not mixed",
        asks="Where is omega_c used?",
    ),
    Mistake(
        "recipes_returned",
        "mix",
        "return X_prime",
        "return omega_c",
        shows="the matrix omega_c itself comes back",
        asks="A recipe is not the dish. What is mixed by it?",
    ),
    Mistake(
        "stack_added_to_mixture",
        "mix",
        "omega_c @ stacked",
        "stacked + omega_c @ stacked",
        shows="the stacked rows are added to their mixture",
        asks="Has the equation a sum in it?",
    ),
    Mistake(
        "stack_mixture_turned_over",
        "mix",
        "return X_prime",
        "return X_prime.T",
        shows="the mixture is turned over, with its tokens as rows",
        asks="How many tokens are there, and which side of your result is so long?",
    ),
    Mistake(
        "recipes_made_to_sum_to_1",
        "mix",
        "omega_c @",
        "(omega_c / np.sum(omega_c, axis=1, keepdims=True)) @",
        shows="the amounts of each recipe are made to sum to one",
        asks="The weights of a head are shares. Does anything say that of omega_c?",
    ),
    Mistake(
        "rows_mixed_twice",
        "mix",
        "omega_c @",
        "omega_c @ omega_c @",
        shows="the stack is multiplied by omega_c twice",
        asks="How often should the rows be mixed?",
    ),
    Mistake(
        "only_first_token_mixed",
        "mix",
        "@ stacked",
        "@ stacked[:, 0]",
        shows="only the first token is mixed",
        asks="How many columns has the stack, and how many do you mix?",
    ),
    Mistake(
        "stack_mixture_of_zeros",
        "mix",
        "return X_prime",
        "return 0 * X_prime",
        shows="what the attention puts out is 0 everywhere",
        asks="What do you return: a result, or the zeros you began with?",
    ),
]

WHOLE = "omega_c @ np.concatenate(Sa_list)"

HEAD_CONTRIBUTIONS = [
    Mistake(
        "first_block_for_all",
        "head_contributions",
        "first = last",
        "pass",
        shows="every head gets the first block of omega_c",
        asks="Where does the block of head 2 begin?",
    ),
    Mistake(
        "blocks_begin_one_column_on",
        "head_contributions",
        "first = last",
        "first = first + 1",
        shows="each block begins one column after the beginning of the last",
        asks="How many columns of omega_c belong to head 1? Where does that leave head 2?",
    ),
    Mistake(
        "blocks_share_a_column",
        "head_contributions",
        "first = last",
        "first = last - 1",
        shows="neighboring blocks of omega_c share a column",
        asks="Does a slice include the column at which it ends?",
    ),
    Mistake(
        "blocks_in_reverse",
        "head_contributions",
        "omega_c[:, first:last]",
        "omega_c[:, omega_c.shape[1] - last : omega_c.shape[1] - first]",
        shows="head 1 gets the last block of omega_c, and the last head the first",
        asks="Which columns of omega_c does the docstring give to head 1?",
    ),
    Mistake(
        "blocks_of_every_other_column",
        "head_contributions",
        "omega_c[:, first:last]",
        "omega_c[:, len(contributions) :: len(Sa_list)]",
        shows="the heads take the columns of omega_c by turns",
        asks="Whose rows meet the second column of omega_c when the heads are stacked?",
    ),
    Mistake(
        "blocks_of_rows_turned",
        "head_contributions",
        "omega_c[:, first:last]",
        "omega_c[first:last].T",
        shows="the blocks are cut from the rows of omega_c and turned over",
        asks="Which axis of omega_c runs over the stacked rows?",
    ),
    Mistake(
        "blocks_of_rows",
        "head_contributions",
        "omega_c[:, first:last]",
        "omega_c[first:last]",
        shows="the blocks are cut from the rows of omega_c",
        asks="Should a block have D rows or D_q rows?",
    ),
    Mistake(
        "blocks_turned_over",
        "head_contributions",
        "block @",
        "block.T @",
        shows="the blocks of omega_c are turned over",
        asks="How many rows should a contribution have, and which factor brings them?",
    ),
    Mistake(
        "block_factors_exchanged",
        "head_contributions",
        "block @ Sa",
        "Sa @ block",
        shows="a head's output and its block have changed places in the product",
        asks="In which order do omega_c and the stack stand in the product that you take apart?",
    ),
    Mistake(
        "output_of_head_1_for_all_blocks",
        "head_contributions",
        "@ Sa)",
        "@ Sa_list[0])",
        shows="every block meets the output of head 1",
        asks="The blocks change from head to head. What should change with them?",
    ),
    Mistake(
        "output_of_last_head_for_all_blocks",
        "head_contributions",
        "@ Sa)",
        "@ Sa_list[-1])",
        shows="every block meets the output of the last head",
        asks="Which head's output is left over from an earlier loop?",
    ),
    Mistake(
        "outputs_in_reverse",
        "head_contributions",
        "in Sa_list:",
        "in Sa_list[::-1]:",
        shows="the first block meets the output of the last head",
        asks="Which output belongs to the first block?",
    ),
    Mistake(
        "contributions_shared",
        "head_contributions",
        "block @ Sa",
        "block @ Sa / len(Sa_list)",
        shows="each contribution is divided by the number of heads",
        asks="Do your contributions add up to the whole?",
    ),
    Mistake(
        "whole_in_equal_parts",
        "head_contributions",
        "return contributions",
        f"return [{WHOLE} / len(Sa_list)] * len(Sa_list)",
        shows="the whole is shared equally among the heads",
        asks="Which of the parts is what head 1 wrote, and can it be equal to all others?",
    ),
    Mistake(
        "whole_for_every_head",
        "head_contributions",
        "return contributions",
        f"return [{WHOLE}] * len(Sa_list)",
        shows="the whole comes back for every head",
        asks="What would be left of the output if only head 1 had spoken?",
    ),
    Mistake(
        "running_sum_of_contributions",
        "head_contributions",
        "block @ Sa",
        "block @ Sa + (contributions[-1] if contributions else 0)",
        shows="each contribution holds those of the heads before it as well",
        asks="What is added up before it goes into the list?",
    ),
    Mistake(
        "contributions_not_mixed",
        "head_contributions",
        "append(block @ Sa)",
        "append(Sa)",
        shows="the heads' outputs come back as they are, without omega_c",
        asks="How many rows does the whole output have? So how many has each contribution?",
    ),
    Mistake(
        "blocks_for_contributions",
        "head_contributions",
        "append(block @ Sa)",
        "append(block)",
        shows="the blocks of omega_c come back, without the outputs",
        asks="Where are the tokens in what you return?",
    ),
    Mistake(
        "contributions_of_zeros",
        "head_contributions",
        "block @ Sa",
        "0 * (block @ Sa)",
        shows="what each head adds is 0 everywhere",
        asks="What is written into the arrays that you return?",
    ),
]


def _scaled_by(number: str) -> str:
    """Return an output whose scores are divided by a number of D, H and D_q, not by the root of D_q."""
    factor = f"np.sqrt(len(head.beta_q)) / ({number})"
    return f"(X, head._replace(omega_q=head.omega_q * {factor}, beta_q=head.beta_q * {factor}))"


ONE_HEAD = "head_output(X, head)[0]"
ALL_HEADS = "[head_output(X, head)[0] for head in heads]"

MULTIHEAD = [
    Mistake(
        "multihead_head_1_throughout",
        "multihead",
        "in heads]",
        "in [heads[0]] * len(heads)]",
        shows="head 1 is used in place of every head",
        asks="Which of the heads does the loop hand on?",
    ),
    Mistake(
        "multihead_last_head_throughout",
        "multihead",
        "in heads]",
        "in [heads[-1]] * len(heads)]",
        shows="the last head is used in place of every head",
        asks="Is the first head's output overwritten before it is stacked?",
    ),
    Mistake(
        "multihead_heads_in_reverse",
        "multihead",
        "in heads]",
        "in heads[::-1]]",
        shows="the heads are taken from the last to the first",
        asks="Whose rows should meet the first columns of omega_c?",
    ),
    Mistake(
        "multihead_tokens_added",
        "multihead",
        "return X_prime",
        "return X + X_prime",
        shows="the tokens are added to the output",
        asks="Subtract the true output from yours. Which matrix is left, and who added it?",
    ),
    Mistake(
        "multihead_first_block_for_all",
        "multihead",
        "mix(omega_c, stacked)",
        "sum(omega_c[:, : len(Sa)] @ Sa for Sa in Sa_list)",
        shows="the first block of omega_c mixes every head's output",
        asks="Which columns of omega_c are never used?",
    ),
    Mistake(
        "multihead_blocks_in_reverse",  # the same numbers as the heads in reverse: the same products are summed
        "multihead",
        "mix(omega_c, stacked)",
        "mix(np.concatenate(np.split(omega_c, len(heads), axis=1)[::-1], axis=1), stacked)",
        shows="the blocks of omega_c meet the heads in reverse order",
        asks="Which block of omega_c goes with head 1?",
    ),
    Mistake(
        "multihead_one_wide_head",
        "multihead",
        ALL_HEADS,
        "[head_output(X, Head(*[np.vstack(part) for part in zip(*heads)]))[0]]",
        shows="all heads share one softmax, as one head with all their rows",
        asks="How many matrices of weights do H heads make?",
    ),
    Mistake(
        "multihead_rows_shared",
        "multihead",
        ALL_HEADS,
        "[\n        head_output(X[rows], Head(*[omega[:, rows] for omega in head[:3]], *head[3:]))[0]\n"
        "        for head, rows in zip(heads, np.array_split(np.arange(len(X)), len(heads)))\n    ]",
        shows="each head reads only its own share of the rows of X",
        asks="How many rows of X does each head read? Count the columns of its weights.",
    ),
    Mistake(
        "multihead_weights_of_head_1",
        "multihead",
        ONE_HEAD,
        "weighted_values(head_output(X, heads[0])[1], project(X, head.omega_v, head.beta_v))",
        shows="the values of every head are mixed with the weights of head 1",
        asks="Where do the queries and the keys of the other heads come in?",
    ),
    Mistake(
        "multihead_weights_averaged",
        "multihead",
        ONE_HEAD,
        "weighted_values(\n        sum(head_output(X, one)[1] for one in heads) / len(heads),\n"
        "        project(X, head.omega_v, head.beta_v),\n    )",
        shows="the values of every head are mixed with the average of all weights",
        asks="Why have heads weights of their own? What does an average make of them?",
    ),
    Mistake(
        "multihead_scale_by_number_of_heads",
        "multihead",
        "(X, head)",
        _scaled_by("len(heads)"),
        shows="the scores are divided by the number of heads",
        asks="A second head changes no dot product of the first. What does the scale depend on?",
    ),
    Mistake(
        "multihead_scale_by_root_of_number_of_heads",
        "multihead",
        "(X, head)",
        _scaled_by("np.sqrt(len(heads))"),
        shows="the scores are divided by the root of the number of heads",
        asks="A root, yes. Of which number: what does one dot product sum over?",
    ),
    Mistake(
        "multihead_scale_by_D_over_H",
        "multihead",
        "(X, head)",
        _scaled_by("len(X) / len(heads)"),
        shows="the scores are divided by D / H",
        asks="Does the spread of a dot product grow as fast as its number of terms?",
    ),
    Mistake(
        "multihead_scale_by_root_of_D_over_H",
        "multihead",
        "(X, head)",
        _scaled_by("np.sqrt(len(X) / len(heads))"),
        shows="the scores are divided by the root of D / H, which need not be D_q",
        asks="Heads may be of any size. Where can the size of a head be read?",
    ),
    Mistake(
        "multihead_scale_by_all_rows",
        "multihead",
        "(X, head)",
        _scaled_by("np.sqrt(len(head.beta_q) * len(heads))"),
        shows="the scores are divided by the root of the rows of all heads together",
        asks="How many rows have the queries of one head?",
    ),
    Mistake(
        "multihead_zeros",
        "multihead",
        "return X_prime",
        "return 0 * X_prime",
        shows="what the attention puts out is 0 everywhere",
        asks="Is a placeholder still standing where the output should be?",
    ),
]

BY_SIGNATURE = """omega_q1, omega_k1, omega_v1 = omega_v1, omega_q1, omega_k1
    beta_q1, beta_k1, beta_v1 = beta_v1, beta_q1, beta_k1
    omega_q2, omega_k2, omega_v2 = omega_v2, omega_q2, omega_k2
    beta_q2, beta_k2, beta_v2 = beta_v2, beta_q2, beta_k2
    head1 = """
OMEGAS_BY_SIGNATURE = """omega_q1, omega_k1, omega_v1 = omega_v1, omega_q1, omega_k1
    omega_q2, omega_k2, omega_v2 = omega_v2, omega_q2, omega_k2
    head1 = """
BETAS_BY_SIGNATURE = """beta_q1, beta_k1, beta_v1 = beta_v1, beta_q1, beta_k1
    beta_q2, beta_k2, beta_v2 = beta_v2, beta_q2, beta_k2
    head1 = """
ROLES = {"q": "queries", "k": "keys", "v": "values"}


def _exchanged(one: str, other: str, head: int) -> Mistake:
    """Return the exchange of two roles in one head, with weights and bias."""
    given = f"head{head} = "
    changes = "\n    ".join(
        f"{kind}_{one}{head}, {kind}_{other}{head} = {kind}_{other}{head}, {kind}_{one}{head}"
        for kind in ("omega", "beta")
    )
    return Mistake(
        f"seed_{one}_and_{other}_of_head_{head}_exchanged",
        "multihead_scaled_self_attention",
        given,
        f"{changes}\n    {given}",
        shows=f"the {ROLES[one]} and the {ROLES[other]} of head {head} have changed places",
        asks=f"Which parameters of head {head} end in {one}, and which in {other}? Where does each of them go?",
    )


def _of_other_head(kind: str, role: str, head: int) -> Mistake:
    """Return one parameter of the other head in place of a head's own."""
    other = 3 - head
    name = f"{kind}_{role}"
    said = "bias" if kind == "beta" else "weight matrix"
    # Any bias of the keys adds one amount to all scores of a column, and the softmax takes it out again.
    twin = f"seed_head_{head}_beta_q_of_head_{other}" if name == "beta_k" else ""
    return Mistake(
        f"seed_head_{head}_{name}_of_head_{other}",
        "multihead_scaled_self_attention",
        f"={name}{head}",
        f"={name}{other}",
        shows=f"the {ROLES[role]} of head {head} use the {said} of head {other}",
        asks=f"Read the digits in the line of head {head}: does the {said} of the {ROLES[role]} end in {head}?",
        twin=twin,
    )


SEED = [
    Mistake(
        "seed_parameters_in_order_of_draws",
        "multihead_scaled_self_attention",
        "head1 = ",
        BY_SIGNATURE,
        shows="the parameters go to a head in the order v, q, k, where q, k, v belong",
        asks="In which order do the arguments come, and in which order does a head take them?",
    ),
    Mistake(
        "seed_omegas_in_order_of_draws",
        "multihead_scaled_self_attention",
        "head1 = ",
        OMEGAS_BY_SIGNATURE,
        shows="the weights go to a head in the order v, q, k, where q, k, v belong",
        asks="The biases are in their places. In which order does a head take its weights?",
    ),
    Mistake(
        "seed_betas_in_order_of_draws",
        "multihead_scaled_self_attention",
        "head1 = ",
        BETAS_BY_SIGNATURE,
        shows="the biases go to a head in the order v, q, k, where q, k, v belong",
        asks="The weights are in their places. In which order does a head take its biases?",
    ),
    *[_exchanged(one, other, head) for head in (1, 2) for one, other in (("q", "k"), ("k", "v"), ("q", "v"))],
    *[_of_other_head(kind, role, head) for head in (2, 1) for kind in ("omega", "beta") for role in ("q", "k", "v")],
    Mistake(
        "seed_omegas_of_heads_exchanged",
        "multihead_scaled_self_attention",
        "head1 = ",
        "omega_q1, omega_k1, omega_v1, omega_q2, omega_k2, omega_v2 = (\n"
        "        omega_q2, omega_k2, omega_v2, omega_q1, omega_k1, omega_v1\n    )\n    head1 = ",
        shows="the weights of the two heads have changed places, and the biases have not",
        asks="The biases stand with the right head. Where do the weights of head 1 go?",
    ),
    Mistake(
        "seed_betas_of_heads_exchanged",
        "multihead_scaled_self_attention",
        "head1 = ",
        "beta_q1, beta_k1, beta_v1, beta_q2, beta_k2, beta_v2 = (\n"
        "        beta_q2, beta_k2, beta_v2, beta_q1, beta_k1, beta_v1\n    )\n    head1 = ",
        shows="the biases of the two heads have changed places, and the weights have not",
        asks="The weights stand with the right head. Where do the biases of head 1 go?",
    ),
    Mistake(
        "seed_head_2_all_omegas_of_head_1",
        "multihead_scaled_self_attention",
        "head2 = ",
        "omega_q2, omega_k2, omega_v2 = omega_q1, omega_k1, omega_v1\n    head2 = ",
        shows="the weights of head 1 serve head 2 as well",
        asks="Copied from the first head: which digits were not changed in the weights?",
    ),
    Mistake(
        "seed_head_2_all_betas_of_head_1",
        "multihead_scaled_self_attention",
        "head2 = ",
        "beta_q2, beta_k2, beta_v2 = beta_q1, beta_k1, beta_v1\n    head2 = ",
        shows="the biases of head 1 serve head 2 as well",
        asks="Copied from the first head: which digits were not changed in the biases?",
    ),
    Mistake(
        "seed_head_1_all_omegas_of_head_2",
        "multihead_scaled_self_attention",
        "head1 = ",
        "omega_q1, omega_k1, omega_v1 = omega_q2, omega_k2, omega_v2\n    head1 = ",
        shows="the weights of head 2 serve head 1 as well",
        asks="Which weights of head 1 are never read?",
    ),
    Mistake(
        "seed_head_1_all_betas_of_head_2",
        "multihead_scaled_self_attention",
        "head1 = ",
        "beta_q1, beta_k1, beta_v1 = beta_q2, beta_k2, beta_v2\n    head1 = ",
        shows="the biases of head 2 serve head 1 as well",
        asks="Which biases of head 1 are never read?",
    ),
]

MISTAKES = [*STACK_HEADS, *MIX, *HEAD_CONTRIBUTIONS, *MULTIHEAD, *SEED]
