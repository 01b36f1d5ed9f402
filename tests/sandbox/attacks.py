"""What hostile notebooks try. Each body is the inside of a function; places come in as names. Coming to its end is a success."""

from __future__ import annotations

# Read or reach something: all in one notebook.
QUIET = {
    "our environment": "assert read(f'/proc/{RUNNER}/environ')",
    "every environment": """
found = []
for pid in os.listdir('/proc'):
    if pid.isdigit():
        try:
            found += [pid] if b'PLAN' + b'TED' in open(f'/proc/{pid}/environ', 'rb').read() else []
        except OSError:
            pass
assert found
""",
    "parent's environment": "assert read(f'/proc/{PARENT}/environ')",
    "parent's memory": "open(f'/proc/{PARENT}/mem', 'rb')",
    "our memory": "open(f'/proc/{RUNNER}/mem', 'rb')",
    "our memory map": "assert read(f'/proc/{RUNNER}/maps')",
    "our open files": "assert [os.readlink(f'/proc/{RUNNER}/fd/{name}') for name in os.listdir(f'/proc/{RUNNER}/fd')]",
    "our root folder": "assert os.listdir(f'/proc/{RUNNER}/root/')",
    "our working folder": "assert os.listdir(f'/proc/{RUNNER}/cwd/')",
    "ptrace": "check(libc.ptrace(16, RUNNER, None, None))",
    "process_vm_readv": """
class Vector(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(8)
local, remote = Vector(ctypes.addressof(buffer), 8), Vector(id(None), 8)
check(libc.process_vm_readv(RUNNER, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0))
""",
    "docker socket": "connect(SOCKET)",
    "docker socket by shell": "assert b'PLAN' in subprocess.run(['curl', '-s', '--unix-socket', SOCKET, 'http://x/'],"
    " capture_output=True, check=True).stdout",
    "event payload": "read(EVENT)",
    "read command files": "read(COMMANDS + '/set_env')",
    "write GITHUB_ENV": "open(COMMANDS + '/set_env', 'a').write('LD_PRELOAD=/x')",
    "new command file": "open(COMMANDS + '/set_env_2', 'w').write('LD_PRELOAD=/x')",
    "runner's credentials": "read(RUNNER_TEMP + '/git-credentials-1.config')",
    "runner's temporary folder": "open(RUNNER_TEMP + '/x', 'w')",
    "git folder": "read(REPOSITORY + '/.git/config')",
    "git folder by git": "subprocess.run(['git', '-C', REPOSITORY, 'config', '--get', 'http.extraheader'], check=True)",
    "the user's files": "read(REPOSITORY + '/lab.py')",
    "write into the repository": "open(REPOSITORY + '/lab.py', 'a').write('evil = 1')",
    "delete from the repository": "os.unlink(REPOSITORY + '/lab.py')",
    "rename the repository": "os.rename(REPOSITORY, REPOSITORY + '2')",
    "permissions of the repository": "path = REPOSITORY + '/lab.py'; os.chmod(path, 0o777); assert os.stat(path).st_mode & 2",
    "ssh keys": "read(HOME + '/.ssh/id_ed25519')",
    "docker's login": "read(HOME + '/.docker/config.json')",
    "real home": "import pwd; assert os.listdir(pwd.getpwuid(0).pw_dir)",
    "password hashes": "read('/etc/shadow')",
    "another notebook's files": "read(OTHER + '/secret.txt')",
    "another notebook's folder": "os.listdir(OTHER)",
    "all scratch copies": """
import tempfile
names = [name for name in os.listdir(os.path.dirname(OTHER)) if name.startswith('nm-')]
found = []
for name in names:
    for place, _folders, files in os.walk(os.path.dirname(OTHER) + '/' + name):
        found += [file for file in files if file == 'secret.txt']
assert found
""",
    "write into the cache": "open(CACHE + '/environments/x', 'w')",
    "write into the wheel cache": "open(CACHE + '/uv/x', 'w')",
    "read the cache's secrets": "read(CACHE + '/secret')",
    "a file in site-packages": "open(SITE + '/sitecustomize.py', 'w').write('evil = 1')",
    "a .pth in site-packages": "open(SITE + '/evil.pth', 'w').write('import os')",
    "change a package": "open(SITE + '/IPython/__init__.py', 'a').write('evil = 1')",
    "the interpreter": "open(os.path.realpath(sys.executable), 'r+b')",
    "the standard library": "open(os.__file__, 'a').write('evil = 1')",
    "usercustomize": """
import site
os.makedirs(site.getusersitepackages(), exist_ok=True)
open(site.getusersitepackages() + '/usercustomize.py', 'w').write('print("EVIL")')
assert b'EVIL' in subprocess.run([sys.executable, '-c', ''], capture_output=True).stdout
""",
    "system folders": "open('/usr/local/bin/python3', 'w')",
    "become root": "os.setuid(0) if os.getuid() else (_ for _ in ()).throw(OSError('already'))",
    "set-user-id shell": """
shutil.copy('/bin/sh', 'shell')
os.chmod('shell', 0o4755)
assert '0' == subprocess.run(['./shell', '-p', '-c', 'id -u'], capture_output=True, text=True).stdout.strip()
""",
    "sudo": "subprocess.run(['sudo', '-n', 'true'], check=True)",
    "new user namespace": "check(libc.unshare(0x10000000))",
    "user namespace by clone": "subprocess.run(['unshare', '-Ur', 'true'], check=True)",
    "mount": "check(libc.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None))",
    "join our namespaces": "check(libc.setns(os.open(f'/proc/{RUNNER}/ns/mnt', os.O_RDONLY), 0))",
    "chroot": "os.chroot('/')",
    "device files": "os.mknod('disk', 0o60666, os.makedev(254, 0)); open('disk', 'rb').read(1)",
    "keyrings": "check(libc.syscall(250, 0, -3, 1))",
    "io_uring": "check(libc.syscall(425, 1, ctypes.create_string_buffer(256)))",
    "signal us": "os.kill(RUNNER, 0)",
    "signal the parent": "os.kill(PARENT, 0)",
    "metadata address": "socket.create_connection(('169.254.169.254', 80), timeout=1)",
    "outside by TCP": "socket.create_connection(('192.0.2.1', 80), timeout=1)",
    "outside by UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    "outside by name": "socket.getaddrinfo('example.org', 80)",
    "our server on loopback": "connect_tcp(PORT)",
    "abstract socket": "connect('\\0modernizer-' + str(RUNNER))",
    "raise a limit": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)",
    "core dumps": "import resource; assert resource.getrlimit(resource.RLIMIT_CORE)[1]",
    "variables": "assert [name for name in os.environ if 'TOKEN' in name or name.startswith(('GITHUB', 'INPUT', 'ACTIONS'))]",
    "terminals": "assert [name for name in os.listdir('/dev/pts') if name != 'ptmx' and os.access('/dev/pts/' + name, os.W_OK)]",
}

# What notebooks do every day: all must work.
ORDINARY = {
    "write beside the notebook": "open('result.csv', 'w').write('a,b')",
    "temporary files": "import tempfile; tempfile.NamedTemporaryFile().write(b'x'); tempfile.mkdtemp()",
    "home": "open(os.path.expanduser('~/.cache/x'), 'w').write('x')",
    "a shell": "assert subprocess.run('echo yes', shell=True, capture_output=True).stdout == b'yes\\n'",
    "shell cells": "assert get_ipython().getoutput('echo yes') == ['yes']; get_ipython().system('echo yes')",
    "pools": "import multiprocessing\nwith multiprocessing.Pool(2) as pool:\n    assert pool.map(abs, [-1]) == [1]",
    "semaphores": "import multiprocessing; multiprocessing.get_context('fork').Semaphore(); multiprocessing.Manager().dict()",
    "shared memory": "from multiprocessing.shared_memory import SharedMemory; SharedMemory(create=True, size=100).unlink()",
    "joblib": "from joblib import Parallel, delayed; assert Parallel(2)(delayed(abs)(-i) for i in range(2)) == [0, 1]",
    "figures": "import matplotlib.pyplot as plt; plt.plot([1]); plt.savefig('x.png'); plt.show()",
    "threads": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "local module": "import lab; assert lab.answer == 42",
    "processor count": "assert os.cpu_count() and open('/proc/cpuinfo').read() and open('/proc/meminfo').read()",
    "certificates": "import ssl; ssl.create_default_context()",
    "time zones": "import zoneinfo, time; zoneinfo.ZoneInfo('Europe/Berlin') if zoneinfo.TZPATH else None; time.tzname",
    "links": "os.symlink('result.csv', 'link'); os.rename('link', 'link2'); os.mkdir('d'); os.rename('link2', 'd/link')",
    "pipes": "os.mkfifo('pipe'); os.unlink('pipe')",
    "sockets in folders": "server = socket.socket(socket.AF_UNIX); server.bind('s'); server.listen(); connect('s')",
}

PREAMBLE = """
import ctypes, os, shutil, socket, subprocess, sys
{places}
libc = ctypes.CDLL(None, use_errno=True)
PARENT = os.getppid()
def read(path):
    with open(path, 'rb') as file:
        return file.read(1 << 16)
def check(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def connect(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(2)
    client.connect(path)
def connect_tcp(port):
    socket.create_connection(('127.0.0.1', port), timeout=2)
"""


def cell(body: str) -> str:
    """Make a cell of a body that says how it ended."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return (
        f"def attempt():\n{lines}\ntry:\n    attempt()\nexcept BaseException as error:\n"
        "    print('FAILED', type(error).__name__, str(error)[:200])\nelse:\n    print('WORKED')"
    )
