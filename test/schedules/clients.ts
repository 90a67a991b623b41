import { ServiceError } from '#shared/errors/service-error';
import type { SendRequest } from '#shared/sending/request/send-request';
import { sendEmail } from '#shared/sending/send-email';
import type { SendResult } from '#shared/sending/send-refusals';
import type { Sending } from '#shared/sending/sending';
import { sendBatch } from '../../functions/send-email-batch/send-email-batch.ts';
import { recordLog } from '../support/recorded-log.ts';
import { doubtWindowMs } from '../support/send-builder.ts';
import type { Dice } from './dice.ts';
import type { FaultSource } from './faults.ts';
import type { Answer, Ledger } from './ledger.ts';
import type { Ending, Sandbox, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

/** Somebody who wants an email to be sent. */
export type Client = {
  /** As the trace names it. */
  readonly name: string;
  /** The send that it asks for: the name of its idempotency key. */
  readonly subject: string;
  readonly request: SendRequest;
  readonly mostTries: number;
  /** Asks for it as the one email of a batch. */
  readonly isBatched?: boolean;
  /** Waits as long as `Retry-After` says. */
  readonly isPatient: boolean;
  readonly faults: FaultSource;
};

export type Clients = {
  /** Makes one request. `undefined`: its process died, or the front door gave up on it. */
  post(client: Client, attempt?: number): Promise<Answer | undefined>;
  /** Makes the request, and again where that makes sense, until it is answered for good. */
  insist(client: Client): Promise<Answer | undefined>;
};

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly credential: string;
  readonly sendingOf: (sandbox: Sandbox) => Sending;
};

/** HTTP API gives up on a function then. */
const longestRequestMs = 30_000;
const shortestPauseMs = 1_000;

export function openClients(surroundings: Surroundings): Clients {
  const { host, scheduler, dice, trace, ledger, credential, sendingOf } = surroundings;

  const post = async (client: Client, attempt = 1): Promise<Answer | undefined> => {
    const { subject, request, isBatched = false, faults } = client;
    const name = `${client.name}.${attempt}`;
    trace.tell(name, 'asks');
    const answered = host
      .run({ name, subject, faults }, async (sandbox) => {
        const asked = isBatched ? askInBatch : ask;
        const result = await settled(asked(request, credential, sendingOf(sandbox)));
        return answerOf(result, sandbox, request, scheduler.now());
      })
      .then((ending) => {
        const answer = ending.kind === 'returned' ? ending.result : undefined;
        trace.tell(name, `is answered ${inWords(answer)}`);
        if (answer === undefined) return undefined;
        ledger.answers.push(answer);
        const isUnforced = answer.kind === 'error' && answer.code === 'internal_error';
        if (isUnforced && !answer.sandbox.hasSuffered()) {
          ledger.violate('without a fault there is no internal error', name);
        }
        return answer;
      });
    const isGivenUp = scheduler.pause(longestRequestMs).then(() => undefined);
    return Promise.race([answered, isGivenUp]);
  };

  const pauseAfter = async (client: Client, answer: Answer | undefined): Promise<void> => {
    const asked = answer?.kind === 'error' ? answer.retryAfterMs : undefined;
    const isPatient = client.isPatient && asked !== undefined;
    const patience = dice.weighted([
      [dice.between(0, 20), 5],
      // Tries are few. Who comes back each second of a long attempt has none left at the window's end.
      [dice.between(20_000, doubtWindowMs), asked === shortestPauseMs ? 5 : 0],
    ]);
    await scheduler.pause(isPatient ? asked + patience : dice.between(200, 4_000));
  };

  return {
    post,
    async insist(client) {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await post(client, attempt);
        if (isFinal(answer) || attempt >= client.mostTries) return answer;
        await pauseAfter(client, answer);
      }
    },
  };
}

const isFinal = (answer: Answer | undefined): boolean =>
  answer?.kind === 'ok' || answer?.code === 'idempotency_key_reused';

const ask = (request: SendRequest, credential: string, sending: Sending) =>
  sendEmail(
    {
      endpoint: 'send',
      credential,
      request: { ok: true, value: request },
      readBody: () => bodyOf(request),
      log: recordLog().log,
      onKey: () => {},
      onRateLimit: () => {},
      onAttachments: () => {},
    },
    sending,
  );

async function askInBatch(
  request: SendRequest,
  credential: string,
  sending: Sending,
): Promise<SendResult> {
  const { log } = recordLog();
  const [outcome] = await sendBatch(
    {
      credential,
      batch: {
        ok: true,
        value: {
          emails: [{ ok: true, value: request }],
          bodies: [bodyOf(request)],
          isStrict: false,
        },
      },
      log,
      logOf: () => log,
      onKey: () => {},
      onRateLimit: () => {},
      onAttachments: () => {},
    },
    sending,
  );
  if (outcome?.ok) return outcome;
  throw outcome?.error;
}
/** The body of which a request was made. */
const bodyOf = ({
  to,
  cc,
  bcc,
  subject,
  content,
  policyKey,
  idempotencyKey,
  sendAt,
  mode,
}: SendRequest) => {
  const addresses = (list: SendRequest['cc']) => list.map(({ address }) => address);
  const words = { subject, content, policyKey, idempotencyKey, sendAt, mode };
  return { to: to.address, cc: addresses(cc), bcc: addresses(bcc), ...words };
};

type Settled<Result> = Exclude<Ending<Result>, { kind: 'died' }>;

const settled = <Result>(work: Promise<Result>): Promise<Settled<Result>> =>
  work.then(
    (result) => ({ kind: 'returned', result }),
    (error: unknown) => ({ kind: 'threw', error }),
  );

function answerOf(
  result: Settled<Awaited<ReturnType<typeof sendEmail>>>,
  sandbox: Sandbox,
  request: SendRequest,
  at: number,
): Answer {
  const answer = { sandbox, request, at };
  if (result.kind === 'returned') return { ...answer, kind: 'ok', ...result.result };
  const { error } = result;
  if (!(error instanceof ServiceError)) {
    return { ...answer, kind: 'error', code: 'internal_error', retryAfterMs: undefined };
  }
  const { code, retryAfterSeconds: seconds } = error;
  const retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
  return { ...answer, kind: 'error', code, retryAfterMs };
}

function inWords(answer: Answer | undefined): string {
  if (answer === undefined) return 'nothing: its process died';
  if (answer.kind === 'error') return answer.code;
  const { status, messageId = '' } = answer.response;
  return `${status} ${messageId}${answer.replayed ? ' (replayed)' : ''}`;
}
