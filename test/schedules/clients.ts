import { newRequestContext, type RequestContext } from '#shared/access/request-context';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { Outcome } from '#shared/sending/batch/batch-email';
import { sendBatch } from '#shared/sending/batch/send-batch';
import type { SendResult } from '#shared/sending/idempotency-key';
import type { SendRequest } from '#shared/sending/request/send-request';
import { sendOnce } from '#shared/sending/send-once';
import type { Sending } from '#shared/sending/sending';
import { recordLog } from '../support/recorded-log.ts';
import { leaseMs } from '../support/send-builder.ts';
import type { Dice } from './dice.ts';
import type { FaultSource } from './faults.ts';
import type { Answer, Ledger } from './ledger.ts';
import type { Ending, Sandbox, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

/** A client that wants to send an email. */
export type Client = {
  /** As the trace names it. */
  readonly name: string;
  /** The send it asks for: the name of its idempotency key. */
  readonly subject: string;
  readonly request: SendRequest;
  /** Asks with a test key. */
  readonly isTest?: boolean;
  readonly maxTries: number;
  /** Asks for it in a batch of one. */
  readonly isBatched?: boolean;
  /** Waits as long as `Retry-After` says. */
  readonly isPatient: boolean;
  readonly faults: FaultSource;
};

/** A client that wants to send several emails at once. */
export type BatchClient = Pick<Client, 'name' | 'isTest' | 'maxTries' | 'isPatient' | 'faults'> & {
  /** Each under its own key. */
  readonly emails: readonly Pick<Client, 'subject' | 'request'>[];
  readonly isStrict: boolean;
  /** One more email is invalid. */
  readonly hasFault: boolean;
};

export type Clients = {
  /** Makes one request. `undefined`: its process died, or the front door gave up on it. */
  post(client: Client, attempt?: number): Promise<Answer | undefined>;
  /** Makes the request, and retries where that makes sense, until the answer is final. */
  insist(client: Client): Promise<Answer | undefined>;
  /** Makes the request for all of them, and retries until each has a final answer. */
  insistOnBatch(batch: BatchClient): Promise<void>;
};

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly ledger: Ledger;
  /** Of the API keys. */
  readonly credentials: { readonly real: string; readonly test: string };
  readonly sendingOf: (sandbox: Sandbox) => Sending;
};

/** HTTP API gives up on a function then. */
const longestRequestMs = 30_000;
const shortestPauseMs = 1_000;

export function openClients(surroundings: Surroundings): Clients {
  const { host, scheduler, dice, trace, ledger, credentials, sendingOf } = surroundings;
  const credentialOf = ({ isTest = false }: Pick<Client, 'isTest'>): string =>
    isTest ? credentials.test : credentials.real;

  const note = (name: string, answer: Answer | undefined): Answer | undefined => {
    trace.tell(name, `is answered ${inWords(answer)}`);
    if (answer === undefined) return undefined;
    ledger.answers.push(answer);
    const isUnforced = answer.kind === 'error' && answer.code === 'internal_error';
    if (isUnforced && !answer.sandbox.hasSuffered()) {
      ledger.violate('without a fault there is no internal error', name);
    }
    return answer;
  };

  const post = async (client: Client, attempt = 1): Promise<Answer | undefined> => {
    const { subject, request, isBatched = false, faults } = client;
    const name = `${client.name}.${attempt}`;
    trace.tell(name, 'asks');
    const answered = host
      .run({ name, subject, faults }, async (sandbox) => {
        const asked = isBatched ? askInBatch : ask;
        const result = await settled(asked(request, credentialOf(client), sendingOf(sandbox)));
        return answerOf(result, sandbox, request, scheduler.now());
      })
      .then((ending) => note(name, ending.kind === 'returned' ? ending.result : undefined));
    const isGivenUp = scheduler.pause(longestRequestMs).then(() => undefined);
    return Promise.race([answered, isGivenUp]);
  };

  const postBatch = (batch: BatchClient, attempt: number): Promise<readonly Answer[]> => {
    const { emails, faults } = batch;
    const name = `${batch.name}.${attempt}`;
    trace.tell(name, `asks for ${emails.map(({ subject }) => subject).join(', ')}`);
    const [first] = emails;
    const answered = host
      .run({ name, subject: first?.subject ?? name, faults }, async (sandbox) => {
        const parts = emails.map(({ subject, request }) => ({
          request,
          part: sandbox.part(subject),
        }));
        const enter = (place: number) => {
          const { part } = parts[place] ?? {};
          if (part !== undefined) host.enter(part);
        };
        const sent = await settled(
          askForAll(batch, enter, credentialOf(batch), sendingOf(sandbox)),
        );
        if (batch.isStrict && batch.hasFault) checkRefused(sent, name, parts, ledger);
        return parts.map(({ request, part }, place) =>
          answerOf(ofPlace(sent, place), part, request, scheduler.now()),
        );
      })
      .then((ending) => {
        const answers = ending.kind === 'returned' ? ending.result : [];
        if (answers.length === 0) note(name, undefined);
        for (const answer of answers) note(answer.sandbox.name, answer);
        return answers;
      });
    return Promise.race([answered, scheduler.pause(longestRequestMs).then(() => [])]);
  };

  const pauseAfter = async (
    client: Pick<Client, 'isPatient'>,
    answer: Answer | undefined,
  ): Promise<void> => {
    const asked = answer?.kind === 'error' ? answer.retryAfterMs : undefined;
    const isPatient = client.isPatient && asked !== undefined;
    const patience = dice.weighted([
      [dice.between(0, 20), 5],
      // There are few tries. A client that retries each second during a long attempt has none left when the lease
      // ends.
      [dice.between(20_000, leaseMs), asked === shortestPauseMs ? 5 : 0],
    ]);
    await scheduler.pause(isPatient ? asked + patience : dice.between(200, 4_000));
  };

  return {
    post,
    async insist(client) {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await post(client, attempt);
        if (isFinal(answer) || attempt >= client.maxTries) return answer;
        await pauseAfter(client, answer);
      }
    },
    async insistOnBatch(batch) {
      for (let attempt = 1; attempt <= batch.maxTries; attempt += 1) {
        const answers = await postBatch(batch, attempt);
        const open = answers.find((answer) => !isFinal(answer));
        if (answers.length > 0 && open === undefined) return;
        await pauseAfter(batch, open);
      }
    },
  };
}

/** A strict batch with an invalid email is refused before anything is stored. */
function checkRefused(
  { kind }: Settled<unknown>,
  name: string,
  parts: readonly { readonly part: Sandbox }[],
  ledger: Ledger,
): void {
  const isBegun = ledger.claims.some(({ sandbox }) => parts.some(({ part }) => part === sandbox));
  if (kind === 'returned' || isBegun) {
    ledger.violate('a strict batch with an email at fault sends none', name);
  }
}

/** The outcome of one email: the same for all of them if the batch was refused. */
function ofPlace(sent: Settled<readonly Outcome[]>, place: number): Settled<SendResult> {
  if (sent.kind === 'threw') return sent;
  const outcome = sent.result[place];
  return outcome?.ok
    ? { kind: 'returned', result: outcome }
    : { kind: 'threw', error: outcome?.error };
}

const isFinal = (answer: Answer | undefined): boolean =>
  answer?.kind === 'ok' || answer?.code === 'idempotency_key_reused';

const ask = (request: SendRequest, credential: string, sending: Sending) =>
  answering((context) =>
    sendOnce(
      {
        endpoint: 'send',
        credential,
        request: { ok: true, value: request },
        body: bodyOf(request),
        context,
      },
      sending,
    ),
  );

/** As `httpEndpoint` does: the answer waits for pending work. */
async function answering<Result>(
  work: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const context = newRequestContext(recordLog().log);
  try {
    return await work(context);
  } finally {
    await Promise.all(context.pendingWork);
  }
}

async function askInBatch(
  request: SendRequest,
  credential: string,
  sending: Sending,
): Promise<SendResult> {
  const batch = { emails: [{ request }], isStrict: false, hasFault: false };
  const [outcome] = await askForAll(batch, () => {}, credential, sending);
  if (outcome?.ok) return outcome;
  throw outcome?.error;
}

type Asked = Pick<BatchClient, 'isStrict' | 'hasFault'> & {
  readonly emails: readonly { readonly request: SendRequest }[];
};

/** @param onBegin is called when it's an email's turn. */
function askForAll(
  { emails, isStrict, hasFault }: Asked,
  onBegin: (place: number) => void,
  credential: string,
  sending: Sending,
): Promise<readonly Outcome[]> {
  const requests = emails.map(({ request }) => request);
  const fault = { ok: false, error: invalidField('to', 'is missing') } as const;
  return answering((context) => {
    const seen = new Set<unknown>();
    // The first lines of an email are about its checks.
    const beginning: RequestLog['part'] = ({ place }) => {
      if (typeof place === 'number' && seen.has(place)) onBegin(place);
      seen.add(place);
      return context.log;
    };
    return sendBatch(
      {
        credential,
        batch: {
          ok: true,
          value: {
            emails: [
              ...requests.map((value) => ({ ok: true, value }) as const),
              ...(hasFault ? [fault] : []),
            ],
            bodies: requests.map(bodyOf),
            isStrict,
          },
        },
        context: { ...context, log: { ...context.log, part: beginning } },
      },
      sending,
    );
  });
}

/** The body from which a request was made. */
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
  result: Settled<Awaited<ReturnType<typeof sendOnce>>>,
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
