import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders with slow files: processes, browsers, campaigns. Started last, one of them would run alone at the end. */
const slowest = [
  "test/scenarios/",
  "test/faults/",
  "test/portal/",
  "test/caja/",
  "test/fuzz/",
  "test/sdk/",
  "test/sync/",
  "test/cli/",
];

export class SlowFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex((folder) => moduleId.includes(`/${folder}`));
      return place === -1 ? slowest.length : place;
    };
    return Promise.resolve(files.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}
