import { pageBuild } from "../scripts/page-build.ts";

export default pageBuild(import.meta.dirname, "/", ["/portal/api", "/dev"]);
