import type { Command } from 'commander';
import type { EntryOf } from '../api/answers.ts';
import { showList } from '../drawing/listing.ts';
import { type Column, drawTable } from '../drawing/text-table.ts';
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
  ['FROM', ({ builtIn }) => (builtIn ? 'the service' : 'the organization')],
] as const satisfies readonly Column<Policy>[];

type PolicyOptions = {
  readonly kind: string;
  readonly category?: string;
  readonly trackOpens?: boolean;
  readonly trackClicks?: boolean;
  readonly keepContent?: boolean;
};

export function addPolicies(policies: Command, sessions: Sessions): void {
  policies
    .command('list')
    .description('Lists policies')
    .addHelpText('after', examples('policies list'))
    .action(async (_options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const ask = () => api.ask('GET /api/v1/policies');
      await showList(terminal, { ask, columns, whenEmpty: 'No policies.' });
    });
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
      async (
        key: string,
        { kind, category, trackOpens: opens, trackClicks: clicks, keepContent }: PolicyOptions,
        command: Command,
      ) => {
        const { api, terminal } = await sessions.asManager(command);
        const saysTracking = opens !== undefined || clicks !== undefined;
        const tracking = saysTracking ? { opens, clicks } : undefined;
        const body = { kind, categoryKey: category, tracking, keepsContent: keepContent };
        const request = { path: { key }, body };
        const answer = await api.ask('PUT /api/v1/policies/{key}', request);
        terminal.show(answer, (paint) => drawTable([answer], columns, paint));
      },
    );
  policies
    .command('delete')
    .argument('<key>', 'the key of a policy')
    .description('Deletes a policy of the organization')
    .addHelpText('after', examples('policies delete newsletter'))
    .action(async (key: string, _options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      await terminal.confirm(`Delete the policy ${key}? Sends that name it will be refused.`);
      await api.tell('DELETE /api/v1/policies/{key}', { path: { key } });
      terminal.say(`${key} was deleted.`);
    });
}
