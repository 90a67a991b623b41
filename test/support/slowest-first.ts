import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These take 4 to 30 s each, or are most of what their project has to do. Those that mostly wait stand apart: together
 * they would leave the machine idle.
 */
const slow = [
  'e2e/hostile-tenants',
  'e2e/documents',
  'erase-contact/late-writers',
  'e2e/permissions',
  'e2e/later-sends',
  'e2e/every-route',
  'e2e/local-twin',
  'e2e/stored-items',
  'e2e/ses-faults',
  'e2e/crashes',
  'e2e/smtp',
  'e2e/dynamodb-write-faults',
  'e2e/described-access',
  'e2e/notices',
  'e2e/manage',
  'schedules/compared-schedules.store',
  'memory-table/memory-table.store',
  'webhooks/deliverer-crashes.store',
  'infra/package',
  'infra/nag-checks',
  'infra/function-environment',
  'infra/new-endpoint',
  'schedules/schedules',
  'record-provider-event/intake-outage',
  'tracking/rewrite-html.fuzz',
  'webhooks/many-deliveries',
  'infra/local/start',
  'webhook-deliveries/due-runs',
  'openapi/name-schemas',
  'openapi/describe-service',
  'webhook-deliveries/silent-delivery-queue',
  'console-list',
  'console-templates',
  'console-pages',
  'console-settings',
  'console-follow',
  'browser/docs',
  'console-team',
  'console-overview',
  'browser/pages',
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
