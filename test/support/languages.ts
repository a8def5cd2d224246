import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const answers = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

/** Python 3.10 or later, of whoever runs the tests. */
export const python =
  answers("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").status === 0 ? "python3" : undefined;
export const withoutPython = "needs Python 3.10 or later as python3";

/** PHP 8.1 or later with what the client needs. */
export const php =
  answers("php", "-r", "exit(PHP_VERSION_ID >= 80100 && extension_loaded('curl') && extension_loaded('json') ? 0 : 1);")
    .status === 0
    ? "php"
    : undefined;
export const withoutPhp = "needs PHP 8.1 or later with curl";

/** A client of PSR-18 that is not ours: Debian's php-guzzlehttp-guzzle. */
const guzzlePlace = "/usr/share/php/GuzzleHttp/autoload.php";
export const guzzle = php && existsSync(guzzlePlace) ? guzzlePlace : undefined;
export const withoutGuzzle = "needs PHP and Debian's php-guzzlehttp-guzzle";

/** A Python that makes environments with pip in them. */
export const hasPip = python !== undefined && answers(python, "-c", "import venv, ensurepip").status === 0;
export const withoutPip = "needs Python 3.10 or later with venv and ensurepip";

export const hasComposer = php !== undefined && answers("composer", "--version", "--no-ansi").status === 0;
export const withoutComposer = "needs PHP 8.1 or later with curl, and Composer";

/** Whether Python has these modules. */
export const hasModules = (...names: string[]) =>
  python !== undefined && answers(python, "-c", `import ${names.join(", ")}`).status === 0;

/** Laravel as Debian has it, without Composer's public register: php-laravel-framework. */
export const hasLaravel = php !== undefined && existsSync("/usr/share/php/Illuminate/autoload.php");
export const withoutLaravel = "needs PHP and Debian's php-laravel-framework";
