"""Submissions that want marks they did not earn, or harm: to the grader, to the machine, to the next student.

`ATTACK` in a source stands for the attack; the answer below it is wrong unless it says otherwise, so that a mark would
be one that was not earned. The attack sits in the fourth exercise of five: the fifth runs after it.
"""

from . import Notebook, graded

WRONG = "\n    return 2 * (V @ A)"
RIGHT = "\n    return V @ A"
ANY = ("wrong", "error", "killed", "timeout")


def hostile(verdict, /, *, answer=WRONG, says="", note="", points=None, where="call"):
    """Record a function's docstring as what it is, and the text that it returns as an attack.

    `where` is "call" for lines at the beginning of the function, "cell" for lines above it, "all" for the whole cell.
    """

    def record(make):
        def build():
            text = make().strip("\n")
            if where == "all":
                return Notebook(weighted_values=text)
            if where == "cell":
                return Notebook(weighted_values=f"{text}\n\ndef NAME(A, V):{answer}\n\nNAME = USED = NAME")
            lines = "\n".join(f"    {line}" for line in text.splitlines())
            return Notebook(weighted_values=f"def NAME(A, V):\n{lines}{answer}")

        build.__name__, build.__module__, build.__doc__ = make.__name__, __name__, make.__doc__
        earned = 3 if verdict == "right" else 2
        return graded(earned if points is None else points, weighted_values=verdict, says=says, note=note)(build)

    return record


# ============================================================ a mark for a wrong answer


@hostile("wrong")
def numpy_redefined():
    """Every comparison of numpy's says yes."""
    return """
for name in ("allclose", "isclose", "array_equal", "all", "any", "asarray", "array", "max", "abs"):
    setattr(np, name, lambda *values, **options: True)
"""


@hostile("wrong")
def builtins_redefined():
    """`abs` is 0, `all` is true, `len` is 2, `zip` yields nothing."""
    return """
import builtins
builtins.abs = builtins.sum = lambda *values: 0
builtins.all = builtins.isinstance = lambda *values: True
builtins.len = lambda value: 2
builtins.zip = lambda *lists, **options: []
"""


@hostile(ANY)
def our_modules_redefined():
    """Every function of ours that is in memory returns something else."""
    return """
import sys
for name, module in list(sys.modules.items()):
    if name.startswith(("helpers", "json", "base64", "numpy.core", "numpy._core")):
        for key, value in list(vars(module).items()):
            if callable(value) and not key.startswith("__"):
                setattr(module, key, lambda *values, **options: True)
"""


@hostile(ANY)
def our_frames_changed():
    """Walks up the frames and overwrites what it finds there: examples, layouts, arguments."""
    return """
import sys, ctypes
frame = sys._getframe()
while frame:
    for key, value in list(frame.f_locals.items()):
        if isinstance(value, list):
            value.clear()
        frame.f_locals[key] = True
    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    frame = frame.f_back
"""


@hostile("wrong", where="all")
def an_object_equal_to_everything():
    """An array whose every comparison and every numpy function says yes."""
    return """
class Agreeable(np.ndarray):
    shape = property(lambda self: (2, 3))
    ndim, size, dtype = 2, 6, np.dtype(float)
    def __eq__(self, other):
        return True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __hash__ = None
    def __sub__(self, other):
        return 0.0
    __rsub__ = __sub__
    def __array_function__(self, function, types, arguments, keywords):
        return True
    def __array_ufunc__(self, function, method, *inputs, **keywords):
        return 0.0
    def __array__(self, *values, **options):
        return np.zeros((2, 3))
    def __array_finalize__(self, other):
        pass
    def astype(self, *values, **options):
        return self

def NAME(A, V):
    return np.zeros((V.shape[0], A.shape[1])).view(Agreeable)
"""


@hostile(ANY, where="all")
def a_class_that_lies():
    """Not an array, and all that one is asked for."""
    return """
class Liar:
    __class__ = np.ndarray
    shape, ndim, size, dtype = (2, 3), 2, 6, np.dtype(float)
    __array_priority__ = 1e9
    __array_interface__ = {"shape": (10**9,), "typestr": "<f8", "data": (1, True), "version": 3}
    def __getattr__(self, name):
        return lambda *values, **options: True
    def __eq__(self, other):
        return True
    def __len__(self):
        return 2

def NAME(A, V):
    return Liar()
"""


@hostile("wrong", where="all", says="the check does not show")
def true_values_by_heart():
    """Looks the public examples' results up in a table: they are in every student's `helpers`."""
    return f"""
TABLE = {_table()!r}

def NAME(A, V):
    return TABLE.get(repr(A.round(6).tolist()) + repr(V.round(6).tolist()), [[0.0]])
"""


def _table():
    """Return the true results of the public examples, by their arguments."""
    from helpers.examples import examples
    from helpers.truth import truth

    pairs = zip(examples("weighted_values"), truth("weighted_values").values, strict=True)
    return {
        "".join(repr(argument.round(6).tolist()) for argument in example.arguments): true.arrays[0].tolist()
        for example, true in pairs
    }


@hostile("wrong")
def true_values_printed():
    """Prints what the notebook should print."""
    return """
print("They differ in 0 of 12 entries.")
print("✓ NAME: column n is the sum of the values, each times its weight in column n.")
"""


@hostile("right")
def right_when_graded_only():
    """Looks whether the grader calls, and is right then only: what is graded is right."""
    return """
import sys
if "helpers.teach.grading.sandbox.confine" in sys.modules:
    return V @ A
"""


@hostile("wrong")
def wrong_when_graded_only():
    """Right wherever the student looks, wrong where the grader does."""
    return """
import sys
if "helpers.teach.grading.sandbox.confine" not in sys.modules:
    return V @ A
"""


@hostile("right", answer=RIGHT)
def right_and_nosy():
    """Right, and asks for everything there is to know: the mark is earned."""
    return """
import gc, os, sys, inspect
gc.get_objects(), sys._getframe(3).f_locals, inspect.stack(), dict(os.environ)
"""


@hostile("error", where="all")
def the_earlier_answers_source():
    """Asks for the source of what it is lent."""
    return """
import inspect
def NAME(A, V):
    softmax_cols
    return len(inspect.getsource(softmax_cols))
"""


@hostile("wrong")
def searches_memory_for_the_truth():
    """Returns the first array of the right shape that the garbage collector, the frames or our modules know."""
    return """
import gc, sys
shape = (V.shape[0], A.shape[1])
known = [one for one in gc.get_objects() if type(one) in (list, tuple, dict)]
for module in list(sys.modules.values()):
    known.append(vars(module))
frame = sys._getframe()
while frame:
    known.append(frame.f_locals)
    frame = frame.f_back
for holder in known:
    for value in list(holder.values() if isinstance(holder, dict) else holder):
        if isinstance(value, np.ndarray) and value.shape == shape and value is not A and value is not V:
            return value
"""


# ============================================================ reading


def _reads(name, about, path):
    def make():
        return f"open({path!r}, 'rb').read()" if isinstance(path, str) else path()

    make.__name__, make.__doc__ = name, about
    return hostile("error", answer=RIGHT, says="Permission")(make)


_reads("reads_the_passwords", "A file that everybody on the machine may read.", "/etc/passwd")
_reads("reads_its_memory", "Its own memory, in which the grader's was.", "/proc/self/mem")
_reads("reads_its_parents_environment", "The environment of the process that started it.", "/proc/1/environ")


@hostile("error", answer=RIGHT, says="Permission")
def reads_the_course():
    """The solutions, by the path that an import of ours tells."""
    return """
import sys, pathlib
root = pathlib.Path(sys.modules["helpers"].__file__).parents[1]
(root / "solutions" / "single_head.py").read_text()
"""


@hostile("error", answer=RIGHT, says="Permission")
def reads_the_true_values():
    """The stored results, by the path that an import of ours tells."""
    return """
import sys, pathlib
(pathlib.Path(sys.modules["helpers"].__file__).parent / "true_values" / "single_head.json").read_text()
"""


@hostile("error", answer=RIGHT, says="ermission")
def asks_for_the_truth():
    """Calls the function of ours that reads the stored results."""
    return """
import sys
return sys.modules["helpers.truth"].truth("weighted_values").values[0].arrays[0]
"""


@hostile("error", answer=RIGHT)
def imports_the_solutions():
    """Asks Python for them."""
    return """
import importlib
importlib.import_module("helpers.teach.solutions").source("weighted_values")
"""


@hostile("error", answer=RIGHT, says="Permission")
def lists_the_home():
    """The names of the files in the home folder."""
    return """
import os
os.listdir("/root" if os.getuid() == 0 else "/home")
"""


@hostile("error", answer=RIGHT, says="Permission")
def lists_the_processes():
    """Who else runs here."""
    return "import os; os.listdir('/proc')"


@hostile("error", answer=RIGHT)
def traces_its_parent():
    """ptrace, and reading another process's memory."""
    return """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
if libc.ptrace(16, os.getppid(), 0, 0) < 0 and libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0) < 0:
    raise PermissionError(ctypes.get_errno(), "refused")
"""


# ============================================================ ending, answering for itself


@hostile("killed", says="exit code 0", where="cell")
def exits_as_the_cell_runs():
    """`os._exit(0)` above the function."""
    return "import os\nNAME = os._exit(0)"


@hostile("killed", says="exit code 0")
def exits_as_it_is_called():
    """`os._exit(0)` in the function."""
    return "import os; os._exit(0)"


@hostile("killed", says="something else than an answer", note="look at this by hand")
def forges_an_answer():
    """Writes what it takes for an answer to every descriptor, and exits."""
    return """
import os
for descriptor in range(64):
    try:
        os.write(descriptor, b'{"all": [{"status": "right", "points": 100}]}')
    except OSError:
        pass
os._exit(0)
"""


@hostile("wrong")
def forges_results():
    """An answer of the right form, with as many results as the job in its memory asks for."""
    return """
import base64, json, os, sys
frame = sys._getframe()
while "layouts" not in frame.f_locals:
    frame = frame.f_back
zeros = {"shape": [2, 3], "data": base64.b64encode(bytes(48)).decode()}
one = {"arrays": [zeros], "single": True, "other": "", "unreadable": "", "trouble": None, "changed": []}
os.write(3, json.dumps({"all": [one] * len(frame.f_locals["layouts"])}).encode())
os._exit(0)
"""


@hostile("error")
def forges_an_error():
    """Trouble of its own making, with a line that is not there and names that are none."""
    return """
import json, os
trouble = {"kind": "NameError", "line": 2**31 - 1, "message": "name '\\x1b[31m<b>' is not defined", "near": "<i>",
           "kinds": ["<u>"] * 99, "operator": "@", "operands": [["<s>", [2, 3]], ["", None]]}
os.write(3, json.dumps({"trouble": trouble}).encode())
os._exit(0)
"""


@hostile("killed")
def floods_the_answer():
    """A gigabyte into the pipe."""
    return """
import os
while True:
    os.write(3, b"[" * 65536)
"""


@hostile(("timeout", "killed"))
def closes_the_pipe_and_stays():
    """Ends the answer and goes on."""
    return """
import os, time
os.close(3)
time.sleep(60)
"""


@hostile("killed", says="was ended by SIGSEGV")
def segmentation_fault():
    """Reads where nothing is."""
    return "import ctypes; ctypes.string_at(0)"


@hostile("killed", says="was ended by")
def aborts():
    """Asks the C library to end the process."""
    return "import os; os.abort()"


@hostile(("error", "killed", "timeout"))
def crashes_the_interpreter():
    """No recursion limit, and a recursion."""
    return """
import sys
sys.setrecursionlimit(10**9)
def deeper(): return [deeper()]
deeper()
"""


# ============================================================ signals and processes


@hostile("error", answer=RIGHT, says="Permission")
def signals_its_parent():
    """Ends the process that forked it."""
    return "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"


@hostile("error", answer=RIGHT, says="Permission")
def signals_everybody():
    """Ends all that it may end."""
    return "import os, signal; os.kill(-1, signal.SIGKILL)"


@hostile("error", answer=RIGHT)
def signals_through_a_pipe():
    """Has the kernel send the signal: a pipe that is owned by another process, and becomes readable."""
    return """
import os, fcntl, signal
reader, writer = os.pipe()
fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid())
fcntl.fcntl(reader, 10, signal.SIGKILL)  # F_SETSIG
fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
os.write(writer, b"x")
"""


def _starts(name, about, lines):
    def make():
        return lines

    make.__name__, make.__doc__ = name, about
    return hostile("error", answer=RIGHT)(make)


_starts("forks", "One child.", "import os\nos.fork()")
_starts("forks_without_end", "A fork bomb.", "import os\nwhile True: os.fork()")
_starts("starts_a_program", "A shell.", "import subprocess\nsubprocess.run(['/bin/sh', '-c', 'touch /tmp/x'])")
_starts("spawns", "A process in the way that needs no fork.", "import os\nos.posix_spawn('/bin/true', ['true'], {})")
_starts("becomes_a_program", "Another program in its place.", "import os\nos.execv('/bin/sh', ['sh', '-c', 'exit 0'])")
_starts("multiprocesses", "A pool.", "import multiprocessing\nmultiprocessing.get_context('fork').Pool(2)")
_starts(
    "leaves_a_process_behind",
    "Forks twice, in a session of its own.",
    "import os\nif os.fork() == 0:\n    os.setsid()\n    os.fork()",
)
_starts(
    "raw_clone",
    "The system call itself, with the flags of a fork.",
    "import ctypes\nif ctypes.CDLL(None).syscall(56, 17, 0, 0, 0, 0) < 0: raise PermissionError",
)
_starts(
    "raw_clone3",
    "The newer system call.",
    "import ctypes\nif ctypes.CDLL(None).syscall(435, None, 0) < 0: raise PermissionError",
)
_starts(
    "a_new_namespace",
    "Root in a world of its own.",
    "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000) < 0: raise PermissionError",
)


@hostile("error", says="can't start new thread")
def threads_without_end():
    """Threads with the smallest stacks, until the machine has no number left for a process."""
    return """
import threading, time
threading.stack_size(32768)
while True:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""


@hostile("error", where="cell")
def a_thread_that_survives():
    """A thread that is no daemon, and work for the end of the process."""
    return """
import atexit, threading, time
NAME = threading.Thread(target=time.sleep, args=(60,))
NAME.start()
NAME = atexit.register(time.sleep, 60)
"""


@hostile("error", answer=RIGHT)
def stops_itself():
    """Neither ends nor runs."""
    return "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"


# ============================================================ time and memory


@hostile("timeout", where="all")
def a_loop_that_catches_everything():
    """No exception and no signal ends it."""
    return """
import signal
for one in signal.valid_signals():
    try:
        signal.signal(one, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def NAME(A, V):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""


@hostile("timeout", where="cell")
def sleeps_as_the_cell_runs():
    """Uses no processor time."""
    return "import time\nNAME = time.sleep(60)"


@hostile("timeout")
def regular_expression_without_end():
    """A search in C that no signal handler of Python's can end."""
    return "import re; re.match('(a+)+b', 'a' * 60)"


@hostile("timeout")
def a_number_without_end():
    """Arithmetic in C."""
    return "10 ** 10 ** 8"


@hostile("timeout", where="all")
def very_slow_comparisons():
    """An array whose every operation sleeps."""
    return """
import time
class Slow(np.ndarray):
    def __array_ufunc__(self, *values, **options):
        time.sleep(60)
    __eq__ = __sub__ = __array__ = __float__ = __getitem__ = __len__ = __array_ufunc__
    __array_function__ = __array_wrap__ = __array_ufunc__
    __hash__ = None

class Slower:
    __array__ = __len__ = __eq__ = lambda self, *values, **options: time.sleep(60)

def NAME(A, V):
    return Slower()
"""


@hostile(("error", "killed"), says="memory")
def memory_at_once():
    """All of it."""
    return "x = bytearray(2**40)"


@hostile(("error", "killed", "timeout"))
def memory_bit_by_bit():
    """All of it, a megabyte at a time, and every error caught."""
    return """
kept = []
while True:
    kept.append(np.ones(2**17))
"""


@hostile(("error", "killed", "timeout"))
def memory_held_fast():
    """Keeps what it got, and tries again."""
    return """
kept = []
while True:
    try:
        while True:
            kept.append(bytearray(2**20))
    except MemoryError:
        pass
"""


@hostile(ANY)
def a_result_of_a_billion_entries():
    """8 bytes that look like 8 GB."""
    return "return np.broadcast_to(1.0, (10**9,))"


@hostile(ANY)
def a_result_larger_than_the_answer_may_be():
    """Numbers for the pipe."""
    return "return np.zeros((2000, 2000))"


@hostile(("error", "killed", "timeout"))
def a_message_of_100_mb():
    """An error that says a lot."""
    return "raise ValueError('x' * 100_000_000)"


@hostile("wrong")
def output_without_end():
    """Everything that can be written to, written to."""
    return """
import os, sys
for _ in range(200):
    print("x" * 100_000)
    sys.__stdout__ and sys.__stdout__.write("x" * 100_000)
    os.write(1, b"x" * 100_000)
    os.write(2, b"x" * 100_000)
"""


# ============================================================ files


def _touches(name, about, lines, verdict="error"):
    def make():
        place = "helpers = pathlib.Path(sys.modules['helpers'].__file__).parent"
        return f"import os, sys, pathlib, tempfile\n{place}\n{lines}"

    make.__name__, make.__doc__ = name, about
    return hostile(verdict, answer=RIGHT)(make)


_touches("writes_to_the_temporary_folder", "A file.", "pathlib.Path('/tmp/attention_was_here').write_text('x')")
_touches("writes_to_memory", "A file in shared memory.", "pathlib.Path('/dev/shm/attention_was_here').write_text('x')")
_touches("writes_to_the_home", "A start-up file.", "pathlib.Path('~/.attention_was_here').expanduser().write_text('x')")
_touches("writes_to_the_working_folder", "A module that others import.", "pathlib.Path('numpy.py').write_text('x')")
_touches("writes_into_the_course", "A line for the next student.", "(helpers / '__init__.py').write_text('x')")
_touches(
    "writes_a_pth",
    "What Python runs at its start.",
    "pathlib.Path(np.__file__).parents[1].joinpath('x.pth').write_text('x')",
)
_touches(
    "writes_a_sitecustomize",
    "The same.",
    "pathlib.Path(np.__file__).parents[1].joinpath('sitecustomize.py').write_text('x')",
)
_touches(
    "writes_byte_code",
    "Byte code that is older than its source.",
    "pathlib.Path(np.__file__).parent.joinpath('__pycache__', 'x.pyc').write_bytes(b'x')",
)
_touches("appends_to_numpy", "A line in a package.", "open(np.__file__, 'a').write('x')")
_touches("makes_a_folder", "mkdir.", "os.mkdir('/tmp/attention_was_here')")
_touches("makes_a_pipe", "mkfifo.", "os.mkfifo('/tmp/attention_was_here')")
_touches("makes_a_device", "mknod.", "os.mknod('/tmp/attention_was_here', 0o20666, os.makedev(1, 3))")
_touches("makes_a_link", "symlink.", "os.symlink('/etc/passwd', '/tmp/attention_was_here')")
_touches("makes_a_hard_link", "link.", "os.link(helpers / '__init__.py', '/tmp/attention_was_here')")
_touches("renames", "rename.", "os.rename(helpers / 'course.toml', helpers / 'course.bak')")
_touches("deletes", "unlink.", "os.unlink(helpers / 'course.toml')")
_touches("changes_rights", "chmod.", "os.chmod(helpers / 'course.toml', 0o777)")
_touches("changes_the_owner", "chown.", "os.chown(helpers / 'course.toml', 1, 1)")
_touches("changes_a_date", "utime.", "os.utime(helpers / 'course.toml', (0, 0))")
_touches("cuts_a_file", "truncate.", "os.truncate(helpers / 'course.toml', 0)")
_touches("marks_a_file", "setxattr.", "os.setxattr(helpers / 'course.toml', 'user.x', b'x')")
_touches("changes_the_root", "chroot.", "os.chroot('/tmp')")
_touches(
    "mounts",
    "mount.",
    "import ctypes\nif ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, None): raise PermissionError",
)
_touches("a_file_in_memory", "memfd_create.", "os.memfd_create('x')")
_touches("a_temporary_file", "tempfile.", "tempfile.TemporaryFile()")


@hostile("right", answer=RIGHT)
def patches_what_others_use():
    """Right, and leaves a numpy behind that is wrong. It is gone with the process."""
    return """
import builtins, sys
result = V @ A
np.max = np.exp = np.matmul = builtins.sum = None
for name, module in list(sys.modules.items()):
    if name.startswith("helpers.examples"):
        vars(module).clear()
return result
"""


# ============================================================ the network


def _connects(name, about, lines):
    def make():
        return f"import socket\n{lines}"

    make.__name__, make.__doc__ = name, about
    return hostile("error", answer=RIGHT, says="ermi")(make)  # "Permission denied", "Operation not permitted"


_connects("tcp", "A connection to this machine.", "socket.create_connection(('127.0.0.1', 9))")
_connects("tcp_6", "The same, by the newer protocol.", "socket.socket(socket.AF_INET6).connect(('::1', 9))")
_connects("udp", "A datagram.", "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))")
_connects("raw_packets", "A packet of its own.", "socket.socket(type=socket.SOCK_RAW, proto=1)")
_connects("a_local_socket", "A socket in the file system.", "socket.socket(socket.AF_UNIX).connect('/run/docker.sock')")
_connects("an_abstract_socket", "A socket without a file.", "socket.socket(socket.AF_UNIX).connect('\\0x')")
_connects("a_pair_of_sockets", "Two ends of its own.", "socket.socketpair()")
_connects("listens", "A door.", "socket.create_server(('127.0.0.1', 0))")
_connects("netlink", "Talks to the kernel.", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)")
_connects(
    "downloads",
    "The right answer from elsewhere.",
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')",
)


# ============================================================ what comes back


def _returns(name, about, lines, verdict=ANY, **more):
    def make():
        return lines

    make.__name__, make.__doc__ = name, about
    return hostile(verdict, where="all", **more)(make)


_returns(
    "a_pickle_that_runs_code",
    "An object that would start a program where it is unpickled.",
    """
import os
class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/attention_was_here",)
def NAME(A, V):
    return np.array([[Bomb()]])
""",
)
_returns(
    "an_end_that_runs_code",
    "An object that acts when it is forgotten.",
    """
import os
class Last:
    def __del__(self):
        os._exit(0)
def NAME(A, V):
    return Last()
""",
)
_returns(
    "not_numbers", "nan and inf.", "def NAME(A, V):\n    return V @ A * np.nan + np.inf", "wrong", says="nan or inf"
)
_returns("objects", "An array of objects.", "def NAME(A, V):\n    return (V @ A).astype(object)", "wrong")
_returns(
    "structures",
    "A structured array.",
    "def NAME(A, V):\n    return np.zeros((2, 3), dtype=[('x', float), ('y', int)])",
    "wrong",
)
_returns(
    "as_many_axes_as_numpy_allows",
    "One number, 32 axes deep.",
    "def NAME(A, V):\n    return np.zeros((1,) * 32)",
    "wrong",
)
_returns("no_entries", "A billion rows of nothing.", "def NAME(A, V):\n    return np.zeros((10**9, 0))", "wrong")
_returns("a_list_in_itself", "A list that holds itself.", "def NAME(A, V):\n    x = []\n    x.append(x)\n    return x")
_returns(
    "a_thing_that_cannot_be_pickled",
    "A lock.",
    "import threading\ndef NAME(A, V):\n    return threading.Lock()",
    "wrong",
)
_returns(
    "markup_in_a_name",
    "A type whose name is a tag.",
    """
Loud = type("<script>alert(1)</script>\\x1b[31m\\u202e", (), {})
def NAME(A, V):
    return Loud()
""",
    "wrong",
)
_returns(
    "markup_in_an_error",
    "Tags, terminal codes, a line break and a right-to-left mark in a message.",
    """
def NAME(A, V):
    raise ValueError("<img src=x onerror=alert(1)>\\x1b]0;owned\\x07\\n=cmd()\\u202e")
""",
    "error",
)
_returns(
    "codes_in_a_line",
    "Terminal codes in the line that is quoted.",
    "def NAME(A, V):\n    raise ValueError('\x1b[2J\u202e<b>')",
    "error",
)
_returns(
    "the_environment_in_an_error",
    "What the grader's environment holds, for the feedback to show.",
    """
import os
def NAME(A, V):
    known = ("OPENBLAS", "OMP", "MKL", "LC_", "PYTHON", "PATH", "PWD", "LD_LIB")
    raise ValueError(repr([name for name in os.environ if not name.startswith(known)]))
""",
    "error",
    says="It says: []",
)
_returns(
    "an_error_that_cannot_be_printed",
    "An error whose text is another error.",
    """
class Silent(Exception):
    def __str__(self):
        raise self
    __repr__ = __str__
def NAME(A, V):
    raise Silent
""",
    "error",
)
_returns(
    "an_error_that_takes_forever",
    "An error whose text never ends.",
    """
class Endless(Exception):
    def __str__(self):
        while True: pass
def NAME(A, V):
    raise Endless
""",
    "timeout",
)
_returns(
    "an_error_that_is_no_error",
    "An error whose type lies about itself.",
    """
class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    __mro__ = ()
    def mro(cls):
        return [cls, Exception, BaseException, object]
class Odd(Exception, metaclass=Meta):
    __traceback__ = 7
    __class__ = int
def NAME(A, V):
    raise Odd
""",
)
_returns(
    "a_trace_of_its_own",
    "`sys.settrace` and `sys.setprofile` on all that runs.",
    """
import sys
def spy(frame, event, argument):
    for name in ("true", "expected"):
        if name in frame.f_locals:
            raise SystemExit
    return spy
def NAME(A, V):
    sys.settrace(spy)
    sys.setprofile(spy)
    return 2 * (V @ A)
""",
)
_returns(
    "hooks",
    "Import hooks, audit hooks and excepthooks.",
    """
import sys
def NAME(A, V):
    sys.meta_path.insert(0, None)
    sys.path_hooks.clear()
    sys.excepthook = sys.unraisablehook = None
    sys.addaudithook(lambda event, arguments: 1 / 0)
    return 2 * (V @ A)
""",
)
_returns(
    "changes_the_examples",
    "Changes the arguments to what would be right.",
    "def NAME(A, V):\n    V[:] = 0\n    A[:] = 0\n    return V @ A",
    "wrong",
)
_returns(
    "reads_the_calls_ahead",
    "Looks at the calls that are still to come, and how they must be refused.",
    """
import sys
def NAME(A, V):
    frame = sys._getframe()
    while frame and "examples" not in frame.f_locals:
        frame = frame.f_back
    calls = frame.f_locals["examples"] if frame else []
    return [one.arguments[-1] for one in calls][-1]
""",
)
