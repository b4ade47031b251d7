"""Builds the wheel of the Python package: the engine, built with CMake, and the libraries that it loads."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()
BUILD = ROOT / "build"
PYTHON = getattr(sys, "_base_executable", sys.executable)  # still exists when a virtual environment is deleted

# Libraries of every Linux system. A wheel must not contain them.
OF_THE_SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|libc|libm|libmvec|libdl|librt|libpthread|libresolv|libutil|libgcc_s|libstdc\+\+)\.so")


def run(*command: str) -> str:
    try:
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    except FileNotFoundError:
        sys.exit(f"error: {command[0]} is not installed; on Debian, scripts/python installs missing packages and builds")
    except subprocess.CalledProcessError as error:
        print(error.stdout)
        sys.exit(f"error: {' '.join(command)} failed; on Debian, scripts/python installs missing packages and builds")


class BuildByCMake(build_ext):
    """Build in the folder of the release build, to use its object files."""

    def build_extension(self, extension: Extension) -> None:
        run("cmake", "--preset", "release", "-DTACIT_PYTHON=ON", f"-DPython3_EXECUTABLE={PYTHON}")
        run("cmake", "--build", str(BUILD), "--target", "tacit_python")
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        built = BUILD / "python" / "tacit" / target.name
        shutil.copy(built, target)
        if not self.inplace:
            self.bring_libraries(built, target.parent / "_libs")
            run("strip", "--strip-unneeded", str(target))

    def bring_libraries(self, built: Path, into: Path) -> None:
        """Copy the libraries that the engine loads. It searches this folder first (python/CMakeLists.txt)."""
        into.mkdir(exist_ok=True)
        for line in run("ldd", str(built)).splitlines():
            name, _, rest = line.strip().partition(" => ")
            if OF_THE_SYSTEM.match(Path(name).name.split(" ")[0]):
                continue
            file = rest.rsplit(" (", 1)[0]
            if not file.startswith("/"):
                sys.exit(f"error: the library {name} was not found; on Debian, scripts/python installs missing packages")
            shutil.copy(file, into / name)


version = re.search(r"project\(tacit VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
BUILD.mkdir(exist_ok=True)
setup(
    version=version.group(1) if version else "0",
    ext_modules=[Extension("tacit._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
    options={"build": {"build_base": "build/wheel"}, "egg_info": {"egg_base": "build"}},
)
