"""Notebook 1: mistakes made in projections, in the softmax, in weights and mixture, and in putting them together."""

from dataclasses import replace

from helpers.teach.mistakes import Mistake

# The textbook form of a softmax along the rows, and of one over everything: with the shift that belongs to it.
_ROWS = "np.exp(S - S.max(axis=1, keepdims=True))"
_WHOLE = "np.exp(S - S.max())"

PROJECT = [
    Mistake(
        "no_bias",
        "project",
        "weighted + beta",
        "weighted",
        shows="the projection comes out without its bias",
        asks="Which argument of the projection does not enter its result?",
    ),
    Mistake(
        "projection_bias_subtracted",
        "project",
        "weighted + beta",
        "weighted - beta",
        shows="the projection subtracts its bias",
        asks="Which sign does beta have in the docstring's sentence about column n?",
    ),
    Mistake(
        "projection_bias_twice",
        "project",
        "weighted + beta",
        "weighted + 2 * beta",
        shows="the projection adds its bias twice",
        asks="How often does beta enter one number of the result?",
    ),
    Mistake(
        "bias_for_every_row_of_X",
        "project",
        "weighted + beta",
        "weighted + X.shape[0] * beta",
        shows="the projection adds its bias once for every row of X",
        asks="Does beta belong inside the sum over the rows of X, or after it?",
    ),
    Mistake(
        "bias_along_the_row",
        "project",
        "weighted + beta",
        "weighted + beta.T",
        shows="the bias of the projection runs along the row, one entry for each token",
        asks="Which axis of the result must beta run along, and which does a flat array run along?",
    ),
    Mistake(
        "bias_first_entry",
        "project",
        "weighted + beta",
        "weighted + beta[0]",
        shows="the projection adds the first entry of its bias to every row",
        asks="How many entries does beta have, and which row of the result does each belong to?",
    ),
    Mistake(
        "bias_for_the_first_token",
        "project",
        "weighted + beta",
        "weighted + beta * (np.arange(X.shape[1]) == 0)",
        shows="the projection adds its bias to the first token only",
        asks="Which tokens does the bias belong to?",
    ),
    Mistake(
        "bias_before_omega",
        "project",
        "weighted + beta",
        "omega @ (X + beta)",
        shows="the projection adds its bias to the tokens, before omega",
        asks="Which comes first, the product or the sum? Look at the shape of beta.",
    ),
    Mistake(
        "bias_as_a_factor",
        "project",
        "weighted + beta",
        "weighted * beta",
        shows="the projection is multiplied by its bias",
        asks="What does a bias do to a number: stretch it or move it?",
    ),
    Mistake(
        "omega_turned",
        "project",
        "omega @ X",
        "omega.T @ X",
        shows="the projection turns omega over before the product",
        asks="Which axis of omega has the size of a token, and which side of it must meet X?",
    ),
    Mistake(
        "projection_of_the_first_token",
        "project",
        "weighted + beta",
        "weighted[:, :1] + beta",
        shows="only the first token is projected",
        asks="What is done with the other tokens? If a loop runs over them, when does it end?",
    ),
    Mistake(
        "projection_without_the_last_token",
        "project",
        "weighted + beta",
        "(weighted + beta) * (np.arange(X.shape[1]) < X.shape[1] - 1)",
        shows="the last token is not projected",
        asks="If a loop runs over the tokens, what is the last number that it counts?",
    ),
    Mistake(
        "projection_in_rows",
        "project",
        "weighted + beta",
        "(weighted + beta).T",
        shows="the projection puts one token in each row",
        asks="In this course, is a token a row or a column?",
    ),
    Mistake(
        "projection_of_zeros",
        "project",
        "weighted + beta",
        "0 * weighted",
        shows="the projection is 0 everywhere",
        asks="Which line fills the zeros with the result?",
    ),
    Mistake(
        "projection_left_out",
        "project",
        "weighted + beta",
        "X",
        shows="the projection gives the tokens back as they are",
        asks="Where do omega and beta come in?",
    ),
]

SOFTMAX_COLS = [
    Mistake(
        "rows_for_columns",
        "softmax_cols",
        "exponentials / totals",
        f"{_ROWS} / np.sum({_ROWS}, axis=1, keepdims=True)",
        shows="the softmax runs over the queries, not over the keys",
        asks="Which axis of the scores runs over the keys?",
    ),
    Mistake(
        "totals_of_the_rows",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(exponentials, axis=1, keepdims=True)",
        shows="the totals of the softmax are those of the rows",
        asks="Over which axis must the total run, so that a column sums to one?",
    ),
    Mistake(
        "totals_of_the_rows_flat",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(exponentials, axis=1)",
        shows="the softmax divides the columns by the totals of the rows",
        asks="Along which axis does a flat array of totals run when it divides a matrix?",
    ),
    Mistake(
        "one_softmax_for_all",
        "softmax_cols",
        "exponentials / totals",
        f"{_WHOLE} / np.sum({_WHOLE})",
        shows="one total is used for the whole matrix of weights",
        asks="How many totals are needed for N_q columns?",
    ),
    Mistake(
        "one_total_for_all",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(exponentials)",
        shows="one total is used for the whole matrix of weights",
        asks="How many totals are needed for N_q columns?",
    ),
    Mistake(
        "total_of_the_first_column",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(exponentials[:, 0])",
        shows="the total of the first column divides every column",
        asks="Which total belongs to column 2?",
    ),
    Mistake(
        "largest_of_the_row",
        "softmax_cols",
        "np.max(S, axis=0, keepdims=True)",
        "np.max(S, axis=1, keepdims=True)",
        shows="the softmax subtracts the largest score of each row",
        asks="What may be subtracted from a column without changing its shares?",
    ),
    Mistake(
        "largest_of_the_row_flat",
        "softmax_cols",
        "np.max(S, axis=0, keepdims=True)",
        "np.max(S, axis=1)",
        shows="the largest scores of the rows are subtracted from the columns",
        asks="How many largest scores do you need: one for each key, or one for each query?",
    ),
    Mistake(
        "no_softmax",
        "softmax_cols",
        "exponentials / totals",
        "S",
        shows="the scores are taken as weights, without a softmax",
        asks="What makes scores positive, and what makes them sum to one?",
    ),
    Mistake(
        "scores_shifted_only",
        "softmax_cols",
        "exponentials / totals",
        "S - largest",
        shows="the largest score is subtracted, and no softmax follows",
        asks="Which two steps follow the subtraction?",
    ),
    Mistake(
        "exponentials_not_divided",
        "softmax_cols",
        "exponentials / totals",
        "exponentials",
        shows="the exponentials are not divided by their sum",
        asks="What must be done to positive numbers, so that they become shares of one?",
    ),
    # Once the largest score is subtracted, the largest exponential is 1: the same numbers as not to divide.
    Mistake(
        "divided_by_the_largest_exponential",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.max(exponentials, axis=0, keepdims=True)",
        shows="each column is divided by its largest exponential",
        asks="By which number must a column be divided, so that it sums to one?",
    ),
    Mistake(
        "divided_by_the_mean_exponential",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.mean(exponentials, axis=0, keepdims=True)",
        shows="each column is divided by its mean exponential",
        asks="What does a column sum to when its mean is one?",
    ),
    Mistake(
        "divided_by_the_number_of_keys",
        "softmax_cols",
        "exponentials / totals",
        "exponentials / S.shape[0]",
        shows="the exponentials are divided by the number of keys",
        asks="Is the number of keys what a column of exponentials sums to?",
    ),
    Mistake(
        "scores_over_their_sum",
        "softmax_cols",
        "exponentials / totals",
        "S / np.sum(S, axis=0, keepdims=True)",
        shows="the scores are divided by their sum, without exponentials",
        asks="What becomes of a negative score in your weights?",
    ),
    Mistake(
        "exponentials_over_the_sum_of_scores",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(S, axis=0, keepdims=True)",
        shows="the exponentials are divided by a sum of scores",
        asks="What must a total sum, so that each entry is a share of it?",
    ),
    Mistake(
        "exponentials_over_the_sum_of_shifted_scores",
        "softmax_cols",
        "np.sum(exponentials, axis=0, keepdims=True)",
        "np.sum(S - largest, axis=0, keepdims=True)",
        shows="the exponentials are divided by a sum of scores",
        asks="What must a total sum, so that each entry is a share of it?",
    ),
    Mistake(
        "shifted_scores_over_their_sum",
        "softmax_cols",
        "np.exp(S - largest)",
        "(S - largest)",
        shows="the softmax leaves out the exponential",
        asks="Which step makes every score positive?",
    ),
    Mistake(
        "shifted_below_only",
        "softmax_cols",
        "exponentials / totals",
        "np.exp(S) / totals",
        shows="the largest score is subtracted in the totals, not above them",
        asks="Are the exponentials that you divide those that you summed?",
    ),
    Mistake(
        "shifted_above_only",
        "softmax_cols",
        "exponentials / totals",
        "exponentials / np.sum(np.exp(S), axis=0, keepdims=True)",
        shows="the largest score is subtracted above the totals, not in them",
        asks="Are the exponentials that you sum those that you divide?",
    ),
    # What is added against a division by 0. Below these it is within the tolerance, and right.
    *(
        Mistake(
            f"totals_plus_1e_{digits}",
            "softmax_cols",
            "np.sum(exponentials, axis=0, keepdims=True)",
            f"np.sum(exponentials, axis=0, keepdims=True) + 1e-{digits}",
            shows="a small number is added to the totals",
            asks="With its largest score subtracted, how small can a column's total become?",
        )
        for digits in (2, 3, 4, 5)
    ),
    Mistake(
        "softmax_upside_down",
        "softmax_cols",
        "exponentials / totals",
        "totals / exponentials",
        shows="the totals are divided by the exponentials",
        asks="Which is the part, and which is the whole?",
    ),
    Mistake(
        "smallest_wins",
        "softmax_cols",
        "S - largest",
        "largest - S",
        shows="the softmax gives most weight to the smallest score",
        asks="Which sign does a score have in its exponent?",
    ),
    # The same sign, kept finite by the smallest score.
    Mistake(
        "smallest_wins_finite",
        "softmax_cols",
        "S - largest",
        "np.min(S, axis=0, keepdims=True) - S",
        shows="the softmax gives most weight to the smallest score",
        asks="Which sign does a score have in its exponent?",
    ),
    Mistake(
        "powers_of_two",
        "softmax_cols",
        "np.exp(S - largest)",
        "2.0 ** (S - largest)",
        shows="the softmax takes powers of 2, not of e",
        asks="Which number is raised to the power of a score?",
    ),
    Mistake(
        "sigmoid_for_softmax",
        "softmax_cols",
        "exponentials / totals",
        "1 / (1 + np.exp(-S))",
        shows="every score goes through a sigmoid by itself",
        asks="Where do the other scores of the column come in?",
    ),
    Mistake(
        "winner_takes_all",
        "softmax_cols",
        "exponentials / totals",
        "(S == largest) * 1.0",
        shows="the largest score of a column gets all the weight",
        asks="What share is left for the second largest score?",
    ),
    Mistake(
        "logarithms_of_the_weights",
        "softmax_cols",
        "exponentials / totals",
        "S - largest - np.log(totals)",
        shows="the softmax gives the logarithms of the weights",
        asks="Can a share be negative?",
    ),
    Mistake(
        "scores_clipped",
        "softmax_cols",
        "exponentials / totals",
        "np.exp(np.clip(S, -700, 700)) / np.sum(np.exp(np.clip(S, -700, 700)), axis=0, keepdims=True)",
        shows="large scores are cut off before the softmax",
        asks="Two different scores become one when they are cut off. What keeps their difference?",
    ),
    Mistake(
        "nan_made_zero",
        "softmax_cols",
        "exponentials / totals",
        "np.nan_to_num(np.exp(S) / np.sum(np.exp(S), axis=0, keepdims=True))",
        shows="weights that are not finite are replaced by 0",
        asks="How can an exponential be kept from becoming infinite in the first place?",
    ),
    Mistake(
        "weights_turned",
        "softmax_cols",
        "exponentials / totals",
        "(exponentials / totals).T",
        shows="the weights are turned over",
        asks="Do the keys run down or across in the weights that you have?",
    ),
    Mistake(
        "totals_alone",
        "softmax_cols",
        "exponentials / totals",
        "totals",
        shows="the softmax gives the totals alone",
        asks="What do the totals divide?",
    ),
    Mistake(
        "weights_all_equal",
        "softmax_cols",
        "exponentials / totals",
        "np.ones_like(S) / S.shape[0]",
        shows="every key gets the same weight",
        asks="How do the scores enter the weights?",
    ),
    Mistake(
        "weights_of_zero",
        "softmax_cols",
        "exponentials / totals",
        "np.zeros_like(S)",
        shows="every weight of the softmax is 0",
        asks="Which line puts the weights where the zeros stand?",
    ),
]


def _not_shifted(name: str, weights: str) -> Mistake:
    """Return a mistake of the softmax as it is made without subtracting the largest score.

    Where the scores are large it overflows, so that its marks are others. What is to be said of it is the same.
    """
    same = next(mistake for mistake in SOFTMAX_COLS if mistake.name == name)
    return replace(same, name=f"{name}_not_shifted", old="exponentials / totals", new=weights)


SOFTMAX_COLS += [
    _not_shifted("rows_for_columns", "np.exp(S) / np.sum(np.exp(S), axis=1, keepdims=True)"),
    _not_shifted("totals_of_the_rows_flat", "np.exp(S) / np.sum(np.exp(S), axis=1)"),
    _not_shifted("one_softmax_for_all", "np.exp(S) / np.sum(np.exp(S))"),
    _not_shifted("total_of_the_first_column", "np.exp(S) / np.sum(np.exp(S[:, 0]))"),
    _not_shifted("exponentials_not_divided", "np.exp(S)"),
    _not_shifted("divided_by_the_largest_exponential", "np.exp(S) / np.max(np.exp(S), axis=0, keepdims=True)"),
    _not_shifted("divided_by_the_mean_exponential", "np.exp(S) / np.mean(np.exp(S), axis=0, keepdims=True)"),
    _not_shifted("divided_by_the_number_of_keys", "np.exp(S) / S.shape[0]"),
    _not_shifted("exponentials_over_the_sum_of_scores", "np.exp(S) / np.sum(S, axis=0, keepdims=True)"),
    _not_shifted("smallest_wins", "np.exp(-S) / np.sum(np.exp(-S), axis=0, keepdims=True)"),
    _not_shifted("powers_of_two", "2.0**S / np.sum(2.0**S, axis=0, keepdims=True)"),
    _not_shifted("weights_turned", "(np.exp(S) / np.sum(np.exp(S), axis=0, keepdims=True)).T"),
    _not_shifted("totals_alone", "np.sum(np.exp(S), axis=0, keepdims=True)"),
]

ATTENTION_WEIGHTS = [
    Mistake(
        "queries_and_keys_exchanged",
        "attention_weights",
        "K.T @ Q",
        "Q.T @ K",
        shows="queries and keys are exchanged",
        asks="Which of the two runs down the scores, and which runs across?",
    ),
    Mistake(
        "keys_not_turned",
        "attention_weights",
        "K.T @ Q",
        "K @ Q",
        shows="the keys are not turned over before the product",
        asks="Which axis of K must meet which axis of Q? Both run over D_q.",
    ),
    Mistake(
        "queries_turned_for_keys",
        "attention_weights",
        "K.T @ Q",
        "K @ Q.T",
        shows="the product sums over the tokens, not over the entries of a key",
        asks="A dot product of one key with one query sums over what?",
    ),
    # The form of books in which a token is a row.
    Mistake(
        "scores_of_row_books",
        "attention_weights",
        "K.T @ Q",
        "Q @ K.T",
        shows="the scores are made as if each token were a row",
        asks="A formula from another book may have one token a row. Which axis holds the tokens here?",
    ),
    Mistake(
        "scores_entry_by_entry",
        "attention_weights",
        "K.T @ Q",
        "K.T * Q",
        shows="the scores multiply keys and queries entry by entry",
        asks="Which operator is the matrix product?",
    ),
    Mistake(
        "keys_with_keys",
        "attention_weights",
        "K.T @ Q",
        "K.T @ K",
        shows="the keys are compared with the keys",
        asks="Where does the query come in?",
    ),
    Mistake(
        "queries_with_queries",
        "attention_weights",
        "K.T @ Q",
        "Q.T @ Q",
        shows="the queries are compared with the queries",
        asks="Where does the key come in?",
    ),
    Mistake(
        "distances_for_products",
        "attention_weights",
        "K.T @ Q",
        "-np.sum((K[:, :, None] - Q[:, None, :]) ** 2, axis=0)",
        shows="the scores are squared distances with a minus sign",
        asks="Which operation of two vectors is a score?",
    ),
    Mistake(
        "cosines_for_products",
        "attention_weights",
        "K.T @ Q",
        "K.T @ Q / np.outer(np.linalg.norm(K, axis=0), np.linalg.norm(Q, axis=0))",
        shows="the scores are divided by the lengths of the vectors",
        asks="Does a longer query count for more here? Then what must not be divided out?",
    ),
    # A key of length 0, as on paper, gives nan above and 0 here.
    Mistake(
        "cosines_for_products_finite",
        "attention_weights",
        "K.T @ Q",
        "K.T @ Q / (np.outer(np.linalg.norm(K, axis=0), np.linalg.norm(Q, axis=0)) + 1e-12)",
        shows="the scores are divided by the lengths of the vectors",
        asks="Does a longer query count for more here? Then what must not be divided out?",
    ),
    Mistake(
        "scaled_too_early",
        "attention_weights",
        "softmax_cols(scores)",
        "softmax_cols(scores / np.sqrt(Q.shape[0]))",
        shows="the scores are divided by the root of D_q",
        asks="Notebook 2 divides scores. What does this one do with them?",
    ),
    Mistake(
        "divided_by_D_q_too_early",
        "attention_weights",
        "softmax_cols(scores)",
        "softmax_cols(scores / Q.shape[0])",
        shows="the scores are divided by D_q",
        asks="A score is a sum of products. Is it to be a mean of them?",
    ),
    Mistake(
        "softmax_twice",
        "attention_weights",
        "softmax_cols(scores)",
        "softmax_cols(softmax_cols(scores))",
        shows="a second softmax is taken of the weights",
        asks="How often is the softmax called on the way to the output?",
    ),
    Mistake(
        "softmax_of_the_keys",
        "attention_weights",
        "K.T @ Q",
        "softmax_cols(K).T @ Q",
        shows="the keys go through a softmax before the product",
        asks="What is to become shares: the keys, or how well they match?",
    ),
    Mistake(
        "later_keys_hidden",
        "attention_weights",
        "softmax_cols(scores)",
        "softmax_cols(np.where(np.tri(*scores.shape, k=-1) == 1, -np.inf, scores))",
        shows="the keys that come after the query's own are hidden",
        asks="Which keys may a query read here? No mask is asked for.",
    ),
    Mistake(
        "earlier_keys_hidden",
        "attention_weights",
        "softmax_cols(scores)",
        "softmax_cols(np.where(np.tri(*scores.shape) == 0, -np.inf, scores))",
        shows="the keys that come before the query's own are hidden",
        asks="Which keys may a query read here? No mask is asked for.",
    ),
]

WEIGHTED_VALUES = [
    Mistake(
        "weights_turned_in_the_mixture",
        "weighted_values",
        "V @ A",
        "V @ A.T",
        shows="the weights are turned over",
        asks="Which axis of A runs over the keys, and which axis of V?",
    ),
    Mistake(
        "mixtures_in_rows",
        "weighted_values",
        "V @ A",
        "A.T @ V.T",
        shows="the mixtures of the values come out as rows",
        asks="In this course, is the output for a query a row or a column?",
    ),
    Mistake(
        "mixture_not_summed",
        "weighted_values",
        "V @ A",
        "V * A.T",
        shows="the values are multiplied by their weights, and not summed",
        asks="How many columns does one query's output have?",
    ),
    Mistake(
        "last_value_only",
        "weighted_values",
        "V @ A",
        "V[:, -1:] * A[-1:, :]",
        shows="only the last key adds its value to the mixture",
        asks="What becomes of the other keys? If a loop runs over them, does each step add, or write over the last?",
    ),
    Mistake(
        "first_query_only",
        "weighted_values",
        "V @ A",
        "V @ A * (np.arange(A.shape[1]) == 0)",
        shows="only the first query gets its mixture of values",
        asks="What is done for the other queries? If a loop runs over them, when does it end?",
    ),
    Mistake(
        "last_query_left_out",
        "weighted_values",
        "V @ A",
        "V @ A * (np.arange(A.shape[1]) < A.shape[1] - 1)",
        shows="the last query gets no mixture of values",
        asks="If a loop runs over the queries, what is the last number that it counts?",
    ),
    Mistake(
        "plain_mean_of_the_values",
        "weighted_values",
        "V @ A",
        "np.repeat(np.mean(V, axis=1, keepdims=True), A.shape[1], axis=1)",
        shows="every query gets the plain mean of the values",
        asks="Where do the weights come in?",
    ),
    Mistake(
        "heaviest_value_only",
        "weighted_values",
        "V @ A",
        "V[:, np.argmax(A, axis=0)]",
        shows="every query gets the value of its heaviest key alone",
        asks="What do the other keys of a column add?",
    ),
    Mistake(
        "softmax_once_more",
        "weighted_values",
        "V @ A",
        "V @ (np.exp(A) / np.sum(np.exp(A), axis=0, keepdims=True))",
        shows="a second softmax is taken of the weights",
        asks="How often is the softmax called on the way to the output?",
    ),
    Mistake(
        "weights_over_their_row_sums",
        "weighted_values",
        "V @ A",
        "V @ (A / np.sum(A, axis=1, keepdims=True))",
        shows="the weights are divided by the sums of their rows",
        asks="What do the columns of the weights sum to before you divide them?",
    ),
    Mistake(
        "mixture_over_the_number_of_keys",
        "weighted_values",
        "V @ A",
        "V @ A / A.shape[0]",
        shows="the mixture of the values is divided by the number of keys",
        asks="The weights of a column sum to one already. What is left to divide?",
    ),
    Mistake(
        "values_not_mixed",
        "weighted_values",
        "V @ A",
        "V",
        shows="the values come back as they are, not mixed",
        asks="Where do the weights come in?",
    ),
    Mistake(
        "weights_for_the_mixture",
        "weighted_values",
        "V @ A",
        "A",
        shows="the weights come back, not mixed with the values",
        asks="What is mixed with these weights?",
    ),
    Mistake(
        "mixture_of_zeros",
        "weighted_values",
        "V @ A",
        "np.zeros((V.shape[0], A.shape[1]))",
        shows="what the attention puts out is 0 everywhere",
        asks="Which line fills the zeros with the mixture?",
    ),
]

_WHO = "Whose letter stands at each parameter of the {}?"
_LETTER = "Which letter do the parameters of each projection carry?"
_DECIDE = "Which two of Q, K and V decide the weights?"
_MIXED = "Which of Q, K and V is mixed with the weights?"
_MADE = "What does the head make of X before anything is compared?"
_STEP = "Which step gives what is asked for: one output per token?"


def head_slips(exercise: str, scores: str, weights: str, prefix: str = "") -> list[Mistake]:
    """Return the slips that any self-attention of one head allows: who is made of what, compared with what, mixed.

    Parameters
    ----------
    exercise : str
        The function. It says `head.omega_q` and so on once each, and `weighted_values(A, V)`.
    scores : str
        Its call that compares, with `{}` in place of the two arguments.
    weights : str
        What makes weights of any two, likewise.
    prefix : str
        What their names begin with.
    """
    rows = [
        *(
            (
                f"no_beta_{letter}",
                f"head.beta_{letter}",
                f"0 * head.beta_{letter}",
                f"the {made} have no bias",
                f"How many parameters of the head go into the {made}?",
            )
            for made, letter in (("queries", "q"), ("keys", "k"), ("values", "v"))
        ),
        # One parameter in the place of another.
        *(
            (
                f"{made}_with_{kind}_{other}",
                f"head.{kind}_{letter}",
                f"head.{kind}_{other}",
                f"the {made} are made with {kind}_{other}",
                _WHO.format(made),
            )
            for made, letter in (("queries", "q"), ("keys", "k"), ("values", "v"))
            for kind in ("omega", "beta")
            for other in "qkv"
            if other != letter
        ),
        # What is compared with what. Queries and keys exchanged is recorded where the scores are made.
        *(
            (name, scores.format("Q, K"), scores.format(pair), shows, asks)
            for name, pair, shows, asks in (
                ("values_as_keys", "Q, V", "the values are used as keys", _DECIDE),
                ("values_as_queries", "V, K", "the values are used as queries", _DECIDE),
                (
                    "values_as_queries_for_the_queries",
                    "V, Q",
                    "the values are used as queries, and the queries as keys",
                    _DECIDE,
                ),
                (
                    "keys_as_queries_for_the_values",
                    "K, V",
                    "the keys are used as queries, and the values as keys",
                    _DECIDE,
                ),
                ("values_with_values", "V, V", "the values are compared with the values", _DECIDE),
                ("tokens_as_queries", "X, K", "the tokens are used as queries, without a projection", _MADE),
                ("tokens_as_keys", "Q, X", "the tokens are used as keys, without a projection", _MADE),
                ("tokens_with_tokens", "X, X", "the tokens are compared with the tokens, without projections", _MADE),
            )
        ),
        # What is mixed, and all other ways to deal out the three roles.
        *(
            (name, "weighted_values(A, V)", mixture, shows, asks)
            for name, mixture, shows, asks in (
                ("keys_as_values", "weighted_values(A, K)", "the keys are used as values", _MIXED),
                ("queries_as_values", "weighted_values(A, Q)", "the queries are used as values", _MIXED),
                (
                    "keys_and_values_exchanged",
                    f"weighted_values({weights.format('Q, V')}, K)",
                    "keys and values are exchanged",
                    _LETTER,
                ),
                (
                    "queries_and_values_exchanged",
                    f"weighted_values({weights.format('V, K')}, Q)",
                    "queries and values are exchanged",
                    _LETTER,
                ),
                (
                    "roles_moved_on",
                    f"weighted_values({weights.format('K, V')}, Q)",
                    "keys serve as queries, values as keys, and queries as values",
                    _LETTER,
                ),
                (
                    "roles_moved_back",
                    f"weighted_values({weights.format('V, Q')}, K)",
                    "values serve as queries, queries as keys, and keys as values",
                    _LETTER,
                ),
                (
                    "tokens_as_values",
                    "weighted_values(A, X)",
                    "the tokens are mixed, without a projection to values",
                    "What is mixed with the weights: the tokens, or what the head makes of them?",
                ),
                (
                    "weights_before_values",
                    "A @ V",
                    "the weights stand before the values in the product",
                    "Which order of the two gives (D_q, N) when D_q and N differ?",
                ),
                (
                    "values_turned",
                    "V.T @ A",
                    "the values are turned over before they are mixed",
                    "Which axis of V runs over the tokens, and which axis of A must it meet?",
                ),
                (
                    "mixed_twice",
                    "weighted_values(A, weighted_values(A, V))",
                    "the values are mixed twice with the same weights",
                    "How often do the weights enter the output?",
                ),
            )
        ),
        (
            "tokens_added",
            "return X_prime",
            "return X + X_prime",
            "the tokens are added to the output",
            "Is X part of what self-attention puts out?",
        ),
        ("queries_returned", "return X_prime", "return Q", "the queries come back, not the output", _STEP),
        ("keys_returned", "return X_prime", "return K", "the keys come back, not the output", _STEP),
    ]
    # A bias of the keys adds one number to all scores of a column, which the softmax cancels.
    twins = {
        "no_beta_k": "no_bias",
        "keys_with_beta_q": f"{prefix}queries_with_beta_k",
        "keys_with_beta_v": f"{prefix}queries_with_beta_v",
    }
    return [
        Mistake(prefix + name, exercise, old, new, shows, asks, twins.get(name, ""))
        for name, old, new, shows, asks in rows
    ]


SELF_ATTENTION = head_slips("self_attention", "attention_weights({})", "attention_weights({})")

MISTAKES = [*PROJECT, *SOFTMAX_COLS, *ATTENTION_WEIGHTS, *WEIGHTED_VALUES, *SELF_ATTENTION]
