"""Completion in the shells themselves: commands, options, and files where neither fits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import hanalyze

COMMAND = Path(sys.executable).parent / "hanalyze"

# Ask as if the key was pressed behind `line`, and print the candidates, one a line.
SCRIPTS = {
    "bash": """
eval "$(hanalyze --show-completion)"
read -ra COMP_WORDS <<< "$line"
[ "${line: -1}" = " " ] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_hanalyze_completion hanalyze
printf '%s\\n' "${COMPREPLY[@]}"
if [ -z "${COMPREPLY[0]}" ] && complete -p hanalyze | grep -q -e "-o default"; then
    compgen -f "${COMP_WORDS[-1]}"
fi
""",
    "zsh": """
autoload -Uz compinit && compinit -u -D
eval "$(hanalyze --show-completion)"
_arguments() { print -r -- "$1" | grep -oE '"[a-z-]+":' | tr -d '":' }
_files() { print -l -- ${words[-1]}*(N) }
words=("${(@s/ /)line}")
CURRENT=$#words
_hanalyze_completion
""",
    "fish": """
hanalyze --show-completion | source
complete -C "$line" | cut -f 1
""",
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_commands_options_and_files(shell: str, tmp_path: Path) -> None:
    if not COMMAND.exists() or shutil.which(shell) is None:
        pytest.skip(f"needs {shell}, and hanalyze as a command")
    (tmp_path / "regular.json").touch()

    def completed(line: str) -> set[str]:
        ran = subprocess.run(
            [shell, "-c", SCRIPTS[shell]],
            cwd=tmp_path,
            env={
                "PATH": f"{COMMAND.parent}:{os.environ['PATH']}",
                "HOME": str(tmp_path / "home"),
                "TERM": "xterm",
                "COLUMNS": "40",
                "line": line,
            },
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        return set(ran.stdout.split("\n")) - {""}

    assert completed("hanalyze re") == {"replay", "research", "review"}
    assert completed("hanalyze replay --s") == {"--seat", "--seats", "--strict"}
    assert completed("hanalyze replay reg") == {"regular.json"}
    assert completed("hanalyze review --output reg") == {"regular.json"}


def test_without_a_home_there_is_a_way_out(tmp_path: Path) -> None:
    ran = hanalyze("--install-completion", HOME=str(tmp_path / "none"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "hanalyze: there is no writable home folder;"
        " hanalyze --show-completion prints what would be installed\n"
    )
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_it_installs_itself(tmp_path: Path) -> None:
    # The shell is the one that the command runs in.
    subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m hanalyze --install-completion; exit $?"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        timeout=600,
        check=True,
    )
    assert "complete " in (tmp_path / ".bash_completions" / "hanalyze.sh").read_text("utf-8")
    assert ".bash_completions" in (tmp_path / ".bashrc").read_text("utf-8")
