import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take 8 to 30 s each, or are most of what their project has to do. */
const slow = [
  'e2e/documents',
  'e2e/local-twin',
  'e2e/permissions',
  'e2e/crashes',
  'e2e/dynamodb-write-faults',
  'e2e/notices',
  'webhooks/deliverer-crashes.store',
  'webhooks/webhook-delivery.store',
  'memory-table/memory-table.store',
  'infra/nag-checks',
  'infra/function-environment',
  'webhooks/many-deliveries',
  'schedules/schedules',
  'tracking/rewrite-html.fuzz',
  'console-follow',
  'console-pages',
];

/**
 * Begins with the slowest files of each project, so that none of them is left alone at the end. Vitest itself
 * begins with the largest, until it has seen how long each takes; a fresh clone has not.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}

const isSlow = ({ moduleId }: TestSpecification): boolean =>
  slow.some((name) => moduleId.endsWith(`/${name}.test.ts`));
