import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These take 4 to 30 s each, or are most of what their project has to do. Those that mostly wait stand apart: together
 * they would leave the machine idle.
 */
const slow = [
  'e2e/hostile-tenants',
  'erase-contact/late-writers',
  'e2e/documents',
  'e2e/local-twin',
  'e2e/permissions',
  'e2e/crashes',
  'schedules/compared-schedules.store',
  'e2e/dynamodb-write-faults',
  'memory-table/memory-table.store',
  'e2e/described-access',
  'e2e/ses-faults',
  'webhooks/deliverer-crashes.store',
  'record-provider-event/record-provider-event.store',
  'e2e/notices',
  'e2e/webhook-management',
  'infra/package',
  'infra/nag-checks',
  'infra/function-environment',
  'schedules/schedules',
  'tracking/rewrite-html.fuzz',
  'webhooks/many-deliveries',
  'infra/local/start',
  'deliveries/due-runs',
  'deliveries/webhook-poster',
  'openapi/describe-service',
  'deliveries/silent-delivery-queue',
  'console-pages',
  'console-templates',
  'console-follow',
  'console-list',
  'console-settings',
];

/**
 * Begins with these files of each project, in this order, so that none of them is left alone at the end. Vitest itself
 * begins with the largest, until it has seen how long each takes; a fresh clone has not.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return own.toSorted((one, other) => placeOf(one) - placeOf(other));
    });
  }
}

/** Its place in the list; who is not in it comes last. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? slow.length : place;
}
