import type { Command } from 'commander';
import { tells } from '../actions.ts';
import { type AnswerOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { drawIdentity, progressOf, sayNextSteps } from '../drawing/identity.ts';
import { verbatim } from '../drawing/layout.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples, needed } from '../options.ts';
import type { ApiSession, Session, Sessions } from '../session.ts';

type Identity = AnswerOf<'GET /api/v1/organization/identity'>;

const read = (api: ApiClient) => api.ask('GET /api/v1/organization/identity');

export function addIdentity(identity: Command, sessions: Sessions): void {
  addSet(identity, sessions);
  addStatus(identity, sessions);
  addZoneFile(identity, sessions);
  addRemove(identity, sessions);
}

type SetOptions = {
  readonly domain: string;
  readonly fromEmail: string;
  readonly mailFromLabel?: string;
  readonly wait?: boolean;
};

function addSet(identity: Command, sessions: Sessions): void {
  identity
    .command('set')
    .summary('Sets the domain and From address')
    .description('Sets the domain and From address, and shows the DNS records to publish')
    .addOption(needed('--domain <domain>', 'the domain to send from'))
    .addOption(needed('--from-email <email>', 'the From address, in that domain'))
    .option('--mail-from-label <label>', 'subdomain that bounces go to (default: bounces)')
    .option('--wait', 'wait until verified')
    .addHelpText(
      'after',
      examples('identity set --domain mail.example.com --from-email hello@mail.example.com --wait'),
    )
    .action(async ({ wait = false, ...body }: SetOptions, command: Command) => {
      const session = await sessions.asManager(command);
      const request = { body };
      const answer = await session.api.ask('PUT /api/v1/organization/identity', request);
      if (!wait) {
        show(session, answer);
        if (answer.status === 'active') return;
        return sayNextSteps(session, 'identity zone-file', 'identity status --wait');
      }
      session.terminal.say(['Publish these records:', '', verbatim(required(answer, 'zoneFile'))]);
      return finish(session, await untilSettled(session, answer));
    });
}

function addStatus(identity: Command, sessions: Sessions): void {
  identity
    .command('status')
    .alias('show')
    .description('Shows what SES and DNS say right now; exits with 7 unless active')
    .option('--wait', 'wait until verified')
    .addHelpText('after', examples('identity status', 'identity status --wait'))
    .action(async ({ wait = false }: { readonly wait?: boolean }, command: Command) => {
      const session = await sessions.asManager(command);
      const answer = await read(session.api);
      finish(session, wait ? await untilSettled(session, answer) : answer);
    });
}

function addZoneFile(identity: Command, sessions: Sessions): void {
  identity
    .command('zone-file')
    .description('Prints the DNS records as a zone file')
    .addHelpText('after', examples('identity zone-file > zone.txt'))
    .action(async (_options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const zoneFile = required(await read(api), 'zoneFile');
      terminal.show({ zoneFile }, () => verbatim(zoneFile.trimEnd()));
    });
}

function addRemove(identity: Command, { asManager }: Sessions): void {
  identity
    .command('remove')
    .summary('Removes the default domain')
    .description(
      'Removes the default domain; sends that name no From address are refused from then on',
    )
    .addHelpText('after', examples('identity remove'))
    .action(
      tells(asManager, 'DELETE /api/v1/organization/identity', () => 'Default domain removed.', {
        confirm: () =>
          'Remove the default domain? Sends that name no From address are refused from then on.',
      }),
    );
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/** Polls until SES decides, and reports each change. DNS can take days, so only Ctrl-C gives up. */
async function untilSettled(
  { api, terminal, surroundings: { sleep } }: ApiSession,
  first: Identity,
): Promise<Identity> {
  let answer = first;
  let lastProgress = '';
  for (let pause = firstPauseMs; required(answer, 'status') === 'pending'; ) {
    const progress = progressOf(answer);
    if (progress !== lastProgress) terminal.say(progress);
    lastProgress = progress;
    await sleep(pause);
    pause = Math.min(longestPauseMs, pause * 1.5);
    answer = await read(api);
  }
  return answer;
}

const show = ({ terminal }: Session, identity: Identity): void =>
  terminal.show(identity, (paint) => drawIdentity(identity, paint));

/** @throws Failure unless it's active. */
function finish(session: Session, identity: Identity): void {
  const status = required(identity, 'status');
  show(session, identity);
  if (status === 'active') return;
  throw new Failure(
    exitCodes.needsAttention,
    `identity_${status}`,
    `${identity.domain} is ${status}.`,
  );
}
