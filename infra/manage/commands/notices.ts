import type { Command } from 'commander';
import {
  pagerDutyRegions,
  type TargetType,
  targetTypes,
} from '#shared/notice-targets/target-types';
import { lists, tells } from '../actions.ts';
import type { AnswerOf, EntryOf } from '../api/answers.ts';
import type { Block } from '../drawing/layout.ts';
import { type Column, drawRecord, drawTable, foreign, momentOf } from '../drawing/text-table.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples, needed, oneOf } from '../options.ts';
import type { Sessions } from '../session.ts';
import { readNamedFile } from '../surroundings.ts';
import type { Paint } from '../terminal.ts';

type Target = EntryOf<'GET /api/v1/notice-targets'>;

export function addNotices(notices: Command, sessions: Sessions): void {
  addList(notices, sessions);
  addSet(notices, sessions);
  addTest(notices, sessions);
  addRemove(notices, sessions);
}

const columns = [
  ['KEY', ({ key }) => key],
  ['TYPE', ({ type }) => type],
  ['HOST', ({ host }) => foreign(host), 'cut'],
  ['LAST SENT', ({ lastSentAt }) => momentOf(lastSentAt), 'below'],
  ['LAST FAILURE', failureOf, 'below'],
] as const satisfies readonly Column<Target>[];

function failureOf({ lastFailure }: Target) {
  return lastFailure && `${lastFailure.reason} at ${momentOf(lastFailure.at)}`;
}

function addList(notices: Command, { asManager }: Sessions): void {
  notices
    .command('list')
    .description('Lists where notices go besides email')
    .addHelpText('after', examples('notices list'))
    .action(
      lists(asManager, 'GET /api/v1/notice-targets', {
        columns,
        whenEmpty: 'Notices go to the notice address only.',
      }),
    );
}

type Setting = {
  readonly type: TargetType;
  readonly secretFile: string;
  readonly pagerdutyRegion?: string;
};

function addSet(notices: Command, { asManager }: Sessions): void {
  notices
    .command('set')
    .argument('<key>', 'what you call it, such as on-call')
    .description('Sends notices to Slack, Teams or PagerDuty')
    .addOption(needed('--type <type>', targetTypes.join(', '), oneOf(targetTypes)))
    .addOption(
      needed(
        '--secret-file <file>',
        'a file with the webhook’s URL, or PagerDuty’s integration key; - for standard input',
      ),
    )
    .option('--pagerduty-region <region>', 'us or eu (default: us)', oneOf(pagerDutyRegions))
    .addHelpText('after', '\nWho has the URL or key can write there, so neither is an argument.')
    .addHelpText('after', examples('notices set on-call --type slack --secret-file url.txt'))
    .action(
      async (
        key: string,
        { type, secretFile, pagerdutyRegion: region }: Setting,
        command: Command,
      ) => {
        const { api, terminal, surroundings } = await asManager(command);
        const secret = (await readNamedFile(secretFile, surroundings)).trim();
        const place = type === 'pagerduty' ? { routingKey: secret } : { url: secret };
        const request = { path: { key }, body: { type, region, ...place } };
        const answer = await api.ask('PUT /api/v1/notice-targets/{key}', request);
        terminal.show(answer, (paint) => drawTarget(answer, paint));
      },
    );
}

const drawTarget = (target: Target, paint: Paint): Block => drawTable([target], columns, paint);

function addTest(notices: Command, { asManager }: Sessions): void {
  notices
    .command('test')
    .argument('<key>', 'a key of the list')
    .description('Sends a test; exits with 7 if it wasn’t taken')
    .addHelpText('after', examples('notices test on-call'))
    .action(async (key: string, _options: object, command: Command) => {
      const { api, terminal } = await asManager(command);
      const answer = await api.ask('POST /api/v1/notice-targets/{key}/test', { path: { key } });
      terminal.show(answer, () => drawOutcome(answer));
      const reason = answer.lastFailure?.reason;
      if (reason === undefined) return;
      throw new Failure(exitCodes.needsAttention, 'test_not_taken', `It wasn’t taken: ${reason}.`);
    });
}

const drawOutcome = (target: AnswerOf<'POST /api/v1/notice-targets/{key}/test'>): Block =>
  drawRecord([
    ['Key', target.key],
    ['Type', target.type],
    ['Host', foreign(target.host)],
    ['Ends with', foreign(target.endsWith)],
    ['Last sent', momentOf(target.lastSentAt)],
    ['Last failure', failureOf(target)],
  ]);

function addRemove(notices: Command, { asManager }: Sessions): void {
  notices
    .command('remove')
    .argument('<key>', 'a key of the list')
    .description('Sends no more notices there')
    .addHelpText('after', examples('notices remove on-call'))
    .action(
      tells(asManager, 'DELETE /api/v1/notice-targets/{key}', ({ key }) => `${key} was removed.`, {
        confirm: ({ key }) => `Remove ${key}? Notices that wait for it are dropped.`,
      }),
    );
}
