import type { Command } from 'commander';
import { asks, type Given, lists, tells } from '../actions.ts';
import type { EntryOf } from '../api/answers.ts';
import { type Column, drawRow } from '../drawing/text-table.ts';
import { examples, needed, oneOf, onOrOff } from '../options.ts';
import type { Sessions } from '../session.ts';

type Policy = EntryOf<'GET /api/v1/policies'>;

const columns = [
  ['KEY', ({ key }) => key],
  ['KIND', ({ kind }) => kind],
  ['CATEGORY', ({ categoryKey }) => categoryKey],
  ['OPENS', ({ tracking }) => tracking?.opens],
  ['CLICKS', ({ tracking }) => tracking?.clicks],
  ['CONTENT', ({ keepsContent }) => (keepsContent === false ? 'never kept' : undefined)],
  ['FROM', ({ builtIn }) => (builtIn ? 'the service' : 'the organization'), 'below'],
] as const satisfies readonly Column<Policy>[];

export function addPolicies(policies: Command, { asManager }: Sessions): void {
  policies
    .command('list')
    .description('Lists policies')
    .addHelpText('after', examples('policies list'))
    .action(lists(asManager, 'GET /api/v1/policies', { columns, whenEmpty: 'No policies.' }));
  policies
    .command('set')
    .argument('<key>', 'the policyKey that sends pass')
    .description('Creates or replaces a policy')
    .addOption(needed('--kind <kind>', 'transactional or bulk', oneOf(['transactional', 'bulk'])))
    .option('--category <key>', 'the category that recipients unsubscribe from')
    .option('--track-opens <on|off>', 'whether opens are tracked', onOrOff)
    .option('--track-clicks <on|off>', 'whether clicks are tracked', onOrOff)
    .option('--keep-content <on|off>', 'whether content may be stored', onOrOff)
    .addHelpText(
      'after',
      examples(
        'categories create offers --name "Special offers"',
        'policies set offers --kind bulk --category offers',
        'policies set password-reset --kind transactional --track-opens off --track-clicks off',
      ),
    )
    .action(
      asks(asManager, 'PUT /api/v1/policies/{key}', drawRow<Policy>(columns), {
        values: toPolicy,
      }),
    );
  policies
    .command('delete')
    .argument('<key>', 'the key of a policy')
    .description('Deletes a policy of the organization')
    .addHelpText('after', examples('policies delete newsletter'))
    .action(
      tells(asManager, 'DELETE /api/v1/policies/{key}', ({ key }) => `${key} was deleted.`, {
        confirm: ({ key }) => `Delete the policy ${key}? Sends that name it will be refused.`,
      }),
    );
}

function toPolicy({ kind, category, trackOpens: opens, trackClicks: clicks, keepContent }: Given) {
  const saysTracking = opens !== undefined || clicks !== undefined;
  const tracking = saysTracking ? { opens, clicks } : undefined;
  return { kind, categoryKey: category, tracking, keepsContent: keepContent };
}
