"""Errors about the world around the notebook: data, network, secrets, GPU, input. They block; no code change is due."""

from __future__ import annotations

import re

from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.diagnosis.databases import missing_database
from modernizer.verdict.outcome import Diagnosis
from modernizer.verdict.paths import is_foreign, normal
from modernizer.verdict.programs import INSTALL
from modernizer.verdict.words import words

_NETWORK_NAMES = words("""
    URLError HTTPError gaierror ConnectionError ConnectTimeout ReadTimeout Timeout SSLError ProxyError MaxRetryError
    NewConnectionError
    ConnectionRefusedError ConnectionResetError RemoteDataError ClientConnectorError RemoteDisconnected LocalEntryNotFoundError
    OfflineModeIsEnabled ServerNotFoundError NoBrokersAvailable BadStatusLine ClientConnectorDNSError NameResolutionError
    """)
_NETWORK_TEXT = re.compile(
    r"Temporary failure in name resolution|Name or service not known|Failed to establish a new connection|Max retries exceeded"
    r"|urlopen error|nodename nor servname|Network is unreachable|No route to host|URL fetch failure|Could not connect to"
    r"|Failed to resolve|ipcontroller-client\.json|HTTP Error \d{3}|getaddrinfo failed|couldn't connect to"
    r"|Connection refused|\[Errno (?:97|101|110|111|113)\]|Address family not supported",
)
_CORPUS = re.compile(
    r"Resource \x1b?\[?[\d;m]*([\w./-]+)\x1b?\[?[\d;m]* not found|Can't find model '([\w.-]+)'|nltk\.download\('([\w-]+)'\)"
)
_GPU = re.compile(
    r"CUDA (?:is not available|driver|unknown error|error: no CUDA|support is not enabled)|Torch not compiled with CUDA"
    r"|No CUDA GPUs are available"
    r"|Found no NVIDIA driver|cudaErrorNoDevice|cudaErrorInsufficientDriver|no CUDA-capable device|GPU device not found"
    r"|No GPU found|torch\.cuda\.is_available\(\) is False"
    r"|CUDA_ERROR_NO_DEVICE|libcuda\.so|libcudart|libnvidia|nvidia-smi|Attempting to deserialize object on a CUDA device"
    r"|Error initializing CUDA|GPU is not (?:enabled|available)"
    r"|CudaSupportError|could not find any (?:GPU|CUDA)|XLA_GPU|there are no GPU|TPU (?:is )?not found|Cannot find any TPU",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|USERNAME|AUTH|ACCOUNT)(?:_|$)|^(?:KAGGLE|AWS|OPENAI)_",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"Could not find kaggle\.json|api_key client option must be set|No API key|API key (?:not|is missing|required|must)"
    r"|(?:Incorrect|Invalid|Must provide) API key"
    r"|Unable to locate credentials|default credentials|Could not automatically determine credentials"
    r"|You must (?:be authenticated|provide an API key)"
    r"|SecretNotFoundError|NotebookAccessError|credentials\.json|client_secrets?\.json|\bInvalid (?:api )?token\b"
    r"|Bad Authentication data|OAuth",
    re.IGNORECASE,
)
_SECRET_NAMES = frozenset(
    {"NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError", "AuthenticationError", "SecretNotFoundError"}
)
_MISSING = re.compile(
    r"\[(?:Errno|WinError) [23]\][^:]*:\s*b?(?P<quoted>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|File b?'(?P<old>[^']+)' does not exist|^(?P<bare>[^\s'\"][^'\"\n]*?\.\w{1,6}) not found\.?$"
    r"|(?:Unable to open|unable to open|No such) file[^']*'(?P<h5>[^']+)'"
    r"|Path does not exist: (?:file:)?(?P<spark>\S+)|(?P<glob>\S+) does not exist\.?$",
    re.MULTILINE,
)
_MISSING_NAMES = frozenset({"FileNotFoundError", "NotADirectoryError"})
_BINARY = re.compile(
    r"failed to execute (?:PosixPath\()?\[?'?([\w.-]+)|executables? not found|GraphViz's executables"
    r"|\"([\w.-]+)\" not found in path|because (?:latex|dvipng) could not be found"
    r"|Requested MovieWriter \((ffmpeg)\) not available"
    r"|unknown file extension: \.(?:mp4|avi|mov)|JAVA_GATEWAY_EXITED|Java gateway process exited|`java` command is not found"
    r"|Cannot find java|JAVA_HOME is not set",
    re.IGNORECASE,
)


def needs_input(case: Case) -> Diagnosis | None:
    """Recognise a cell that asks its reader."""
    asks = case.name == "StdinNotImplementedError" or (
        "getpass" in case.source + case.text and case.name in {"EOFError", "GetPassWarning"}
    )
    if asks or (case.name == "EOFError" and re.search(r"\binput\s*\(|EOF when reading a line", case.source + case.message)):
        return Diagnosis("needs-input", "input", "python", "the cell waits for something to be typed")
    return None


def missing_secret(case: Case) -> Diagnosis | None:
    """Recognise a key, token or credentials file that only the author has."""
    if case.name in {"KeyError", "SecretNotFoundError", "UserSecretNotFoundError"}:
        key = case.message.strip("'\"")
        if _SECRET_NAME.search(key) and re.search(r"environ|secret|userdata", case.user_statement + case.text, re.IGNORECASE):
            return Diagnosis("missing-secret", key, "", f"the environment variable {key} isn't set")
    match = _SECRET_TEXT.search(case.message)
    if match or case.name in _SECRET_NAMES:
        first = case.message.strip().splitlines()[0] if case.message.strip() else case.name
        return Diagnosis("missing-secret", match.group() if match else case.name, case.library, first)
    module = _missing_module(case)
    if module in {"google.colab.userdata", "kaggle_secrets"}:
        return Diagnosis(
            "missing-secret", module, module.partition(".")[0], f"{module} only exists where the author's secrets are"
        )
    if re.search(r"\buserdata\.get\(", case.user_statement) and case.name in {
        "ModuleNotFoundError",
        "ImportError",
        "AttributeError",
    }:
        return Diagnosis("missing-secret", "google.colab.userdata", "google", "the cell reads the author's Colab secrets")
    return None


def _missing_module(case: Case) -> str:
    match = re.search(r"No module named '([\w.]+)'", case.message)
    if not match:
        return ""
    named = re.search(r"(?:from|import)\s+([\w.]+)(?:\s+import\s+(\w+))?", case.user_line)
    if named and named.group(1).startswith(match.group(1)):
        return f"{named.group(1)}.{named.group(2)}" if named.group(1) == "google.colab" and named.group(2) else named.group(1)
    return match.group(1)


def needs_gpu(case: Case) -> Diagnosis | None:
    """Recognise code that found no graphics processor."""
    match = _GPU.search(case.message)
    if match and case.name not in {"SyntaxError", "NameError"}:
        return Diagnosis("needs-gpu", "cuda", case.library, case.message.strip().splitlines()[0])
    if case.name == "CalledProcessError" and "nvidia-smi" in case.source:
        return Diagnosis("needs-gpu", "nvidia-smi", "", "the cell asks the graphics driver")
    return None


def needs_network(case: Case) -> Diagnosis | None:
    """Recognise a download or a server that can't be reached; an address that no longer serves the file is missing data."""
    if (case.name == "HTTPError" and re.search(r"\b(?:404|410)\b", case.message)) or case.name == "HTTP404Error":
        address = next(iter(re.findall(r"https?://[^\s'\"]+", case.message + case.user_statement)), "")
        return Diagnosis("missing-data", address, "", f"{address or 'the address'} no longer serves the file")
    if case.name in _NETWORK_NAMES or _NETWORK_TEXT.search(case.message):
        fetch = next(
            (call for call in case.calls() if re.search(r"fetch|load|read|get|open|urlretrieve|download|Client", call)), ""
        )
        what = f"{fetch} needs the network" if fetch else "the cell needs the network"
        last = next(iter(reversed(case.message.strip().splitlines())), case.name)
        return Diagnosis("needs-network", fetch, case.package_of(fetch), f"{what}: {last}")
    return None


def missing_data(case: Case) -> Diagnosis | None:
    """Recognise a file that isn't there: plain, behind a git-lfs pointer, a corpus, or at a place of another machine."""
    if (match := _CORPUS.search(case.message)) and case.name in {"LookupError", "OSError"}:
        corpus = next(group for group in match.groups() if group)
        return Diagnosis("missing-data", corpus, case.library or "nltk", _corpus_detail(corpus, case))
    if pointer := _pointer(case):
        return Diagnosis("missing-data", pointer, "", f"{pointer} is a git-lfs pointer, not the data")
    if binary := _BINARY.search(case.message):
        name = next((group for group in binary.groups() if group), "")
        return _without_program(name.rpartition("/")[2] or _named_program(binary.group()), case)
    path = missing_path(case) or missing_database(case)
    if not path:
        return None
    if case.name == "FileNotFoundError" and re.search(
        r"\b(?:subprocess|Popen|check_call|check_output|os\.exec)", case.user_statement + case.text
    ):
        return _without_program(path, case)
    return _absent(path, case)


_UPPER = " doesn't exist in the notebook's folder, but from there the same file is "


def _corpus_detail(corpus: str, case: Case) -> str:
    """Say which corpus or model is missing and how it is got."""
    how = f"nltk.download({corpus.rpartition('/')[2]!r})" if "nltk" in case.text else ""
    return f"the corpus or model {corpus} isn't installed" + (
        f"; with the network allowed {how} in a cell gets it" if how else ""
    )


def _without_program(name: str, case: Case) -> Diagnosis:
    hint = INSTALL.get(name.rpartition("/")[2], "")
    return Diagnosis("missing-program", name, case.library, f"the program {name} isn't installed" + (f": {hint}" if hint else ""))


def _named_program(text: str) -> str:
    """Name the program that a message speaks of without naming its file."""
    known = (
        ("latex", "latex"),
        ("java", "java"),
        ("ffmpeg", "ffmpeg"),
        ("movie", "ffmpeg"),
        ("dvipng", "latex"),
        ("extension", "ffmpeg"),
    )
    return next((program for word, program in known if word in text.lower()), "dot")


def missing_path(case: Case) -> str:
    """Name the file that an error says is missing; empty when it speaks of none."""
    if case.name not in _MISSING_NAMES and case.name not in {
        "OSError",
        "IOError",
        "AnalysisException",
        "ValueError",
        "HTTPError",
    }:
        return ""
    match = _MISSING.search(case.message)
    if not match or (case.name == "ValueError" and not re.search(r"does not exist|No such file", case.message)):
        return ""
    found = next(group for group in match.groups() if group)
    return found.strip("'\"").replace("\\\\", "\\")


def _absent(path: str, case: Case) -> Diagnosis:
    """Tell data that nobody delivered from a path that is only spelled for another system or folder."""
    wanted = normal(path)
    name = wanted.rpartition("/")[2].lower()
    elsewhere = sorted(file for file in case.files() if file.rpartition("/")[2].lower() == name) if name else []
    upper = _upper_path(path, case)
    if upper:
        return Diagnosis("other", path, "", f"{path}{_UPPER}{upper}")
    if elsewhere:
        return Diagnosis("other", path, "", f"{path} doesn't exist in the notebook's folder; the repository has {elsewhere[0]}")
    hint = "; tell where it lives now with the `data:` setting" if is_foreign(path) else ""
    return Diagnosis("missing-data", path, "", f"{path} isn't in the repository{hint}")


def path_from_upper_folder(diagnosis: Diagnosis) -> str:
    """Return the path by which a notebook that was moved reaches a file that lies where an upper folder has it; else empty."""
    start = f"{diagnosis.symbol}{_UPPER}"
    return diagnosis.detail.removeprefix(start) if diagnosis.symbol and diagnosis.detail.startswith(start) else ""


def _upper_path(path: str, case: Case) -> str:
    """Find a relative path in the folders above the notebook, the nearest first; not when the notebook changes its folder."""
    wanted = path.removeprefix("./")
    if not re.fullmatch(r"[\w .()+-]+(?:/[\w .()+-]+)*", wanted) or "/" not in wanted or wanted.startswith(".."):
        return ""
    if any(re.search(r"^\s*%cd\b|\bchdir\(", cell.source, re.MULTILINE) for cell in case.notebook.code_cells):
        return ""
    folders = case.notebook.path.split("/")[:-1]
    files = frozenset(case.files())
    for up in range(1, len(folders) + 1):
        if "/".join([*folders[: len(folders) - up], wanted]) in files:
            return "../" * up + wanted
    return ""


def _pointer(case: Case) -> str:
    """Name the git-lfs pointer whose text the error or the shown data holds."""
    if "git-lfs.github.com" not in case.text and "oid sha256" not in case.text:
        return ""
    files = [file for file in case.files() if file.rpartition("/")[2] in case.source]
    return next(iter(files), "a data file")
