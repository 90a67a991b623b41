import type { Command } from 'commander';
import { webhookEventTypes } from '#shared/organizations/webhook-subscriptions';
import type { Webhook } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { type Column, foreign, momentOf } from '../drawing/columns.ts';
import { showList } from '../drawing/listing.ts';
import { paintState } from '../drawing/state-words.ts';
import { examples } from '../examples.ts';
import { usageFailure } from '../failure.ts';
import { isLoopback } from '../loopback.ts';
import { needed } from '../needed-option.ts';
import type { OpenSession, Session } from '../session.ts';
import type { Paint } from '../terminal.ts';
import { listOf } from '../values.ts';
import { type Forwarded, startForwarder } from './webhook-forwarder.ts';

export function addWebhooks(webhooks: Command, open: OpenSession): void {
  webhooks
    .command('list')
    .description('All endpoints, and whether they are well')
    .addHelpText('after', examples('webhooks list'))
    .action(async (_options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const ask = () => api.ask('GET /api/v1/webhooks');
      await showList(terminal, { ask, columns, whenEmpty: 'There is no webhook endpoint.' });
    });
  webhooks
    .command('listen')
    .description('Hands the webhooks of the local twin on to a receiver, until Ctrl-C')
    .addOption(needed('--forward-to <url>', 'the receiver, for example localhost:4000/hooks'))
    .option('--events <types>', 'only these, with commas between', listOf(webhookEventTypes))
    .addHelpText(
      'after',
      examples(
        'webhooks listen --forward-to localhost:4000/hooks',
        'webhooks listen --forward-to http://localhost:4000/hooks --events email.bounced',
      ),
    )
    .action(async (options: ListenOptions, command: Command) => {
      await listenAndForward(await open(command), options);
    });
}

const columns = [
  ['ID', ({ id }) => id],
  ['STATE', ({ disabled, health }, paint) => paintState(health.status, paint) + reasonOf(disabled)],
  ['FAILING SINCE', ({ health }) => momentOf(health.failingSince)],
  ['EVENTS', ({ eventTypes }) => (eventTypes.length === 0 ? 'all' : eventTypes.join(' '))],
  ['URL', ({ url }) => foreign(url)],
] as const satisfies readonly Column<Webhook>[];

const reasonOf = (disabled: Webhook['disabled']): string =>
  disabled === undefined ? '' : `: ${disabled.reason}`;

type ListenOptions = { readonly forwardTo: string; readonly events?: readonly string[] };

/** The endpoint lives as long as the command: it is removed whatever ends it, but for a kill. */
async function listenAndForward(
  { target, terminal, surroundings, asManager }: Session,
  { forwardTo, events = [] }: ListenOptions,
): Promise<void> {
  if (target.kind === 'stack' || !isLoopback(new URL(target.baseUrl))) {
    throw usageFailure(
      `${target.name} cannot reach this machine. Only the local twin can: start it with npm start.`,
    );
  }
  const receiver = receiverUrl(forwardTo);
  const api = await asManager();
  const { now, untilInterrupted } = surroundings;
  const interrupted = untilInterrupted();
  const report = (one: Forwarded) => terminal.showLine(one, (paint) => drawForwarded(one, paint));
  const forwarder = await startForwarder({ forwardTo: receiver, now, report });
  try {
    const endpoint = await addEndpoint(api, forwarder.url, events);
    try {
      terminal.say(`Forwards to ${receiver.href}. Signing secret: ${endpoint.secret}`);
      terminal.say('Ctrl-C removes the endpoint.');
      await interrupted;
    } finally {
      await api.ask('DELETE /api/v1/webhooks/{id}', { parameters: { id: endpoint.id } });
      terminal.say('The endpoint is removed.');
    }
  } finally {
    await forwarder.stop();
  }
}

async function addEndpoint(api: ApiClient, url: string, eventTypes: readonly string[]) {
  const body = { url, eventTypes, description: 'webhooks listen' };
  return (await api.ask('POST /api/v1/webhooks', { body })).value;
}

function receiverUrl(text: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null) throw usageFailure(`"${text}" is no URL. Say for example localhost:4000/hooks`);
  return url;
}

function drawForwarded({ at, type, messageId, status, error }: Forwarded, paint: Paint): string {
  const isTaken = status !== undefined && status >= 200 && status < 300;
  const answer = paint(isTaken ? 'green' : 'red', status?.toString() ?? error ?? '');
  return `${momentOf(at)}  ${answer}  ${type}  ${paint('dim', messageId)}`;
}
