import { type CountedWaiting, limitWaiting } from '#shared/access/limit-day';
import {
  countInOrganization,
  FarOverCapError,
  limitKey,
  limitTogether,
  refusalFor,
  refusalToStore,
} from '#shared/access/limit-sending';
import type { RequestContext } from '#shared/access/request-context';
import type { Attachment } from '#shared/attachments/attachment';
import type { FetchedFile } from '#shared/attachments/file-fetcher';
import { type AttachmentSources, loadAttachments } from '#shared/attachments/load-attachments';
import { sharedFetches } from '#shared/attachments/slow-fetches';
import type { UploadedContent } from '#shared/attachments/upload-store';
import { longestCallMs, longestFetchMs } from '#shared/config/send-attempt-time';
import {
  type FieldError,
  ServiceError,
  toServiceError,
  validationFailed,
} from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import { inParallel } from '#shared/timing/in-parallel';
import { createSemaphore, type Semaphore } from '#shared/timing/semaphore';
import type { UploadId } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import { addressEmail, recipientsCounted } from '../check-email.ts';
import type { SendResult } from '../idempotency-key.ts';
import { contentOf, type EmailForLater, sendLater } from '../later/send-later.ts';
import { isForLater } from '../request/send-request.ts';
import { readContext, type SendContext } from '../send-context.ts';
import { sendNow } from '../send-once.ts';
import type { Attachments, Sending } from '../sending.ts';
import {
  type Admitted,
  answerIfKnown,
  attachmentBytesAtOnce,
  type BatchEmail,
  checkBatchEmail,
  endpoint,
  isAnswered,
  isBehindUrl,
  knownAnswer,
  maxAttachmentBytes,
  type Outcome,
  orRefused,
  recipientsNow,
  settledAs,
} from './batch-email.ts';
import type { ParsedBatch } from './batch-request.ts';

type BatchCommand = {
  readonly credential: string | undefined;
  readonly batch: ParsedBatch;
  readonly context: RequestContext;
  /** Names fields as the caller's API does; by default, as ours does. */
  readonly faultsOf?: FaultsOf;
  /** A refused batch has the code that all its faults share, if they do. By default, it's `validation_failed`. */
  readonly sharesCode?: boolean;
};

export type FaultsOf = (error: ServiceError) => readonly FieldError[];

/**
 * Reads once for up to 100 emails, then treats each like a request of its own, several at a time. Each is claimed,
 * handed over and settled alone: if the process dies, a repeated batch replays those that went out.
 *
 * @returns each email's outcome, in order.
 * @throws ServiceError if no email was begun: the caller or the batch is at fault, a cap of the key is reached, the
 *   organization is paused, or the batch is strict and one of its emails is at fault. Emails that an earlier request
 *   began have their answers: with a cap or a pause in the way, a permissive batch that has such emails answers them.
 */
export async function sendBatch(
  command: BatchCommand,
  alone: Sending,
): Promise<readonly Outcome[]> {
  const slowFetches = sharedFetches(alone.attachments.slowFetches);
  const sending = { ...alone, attachments: { ...alone.attachments, slowFetches } };
  const { batch, context } = command;
  const now = sending.now();
  const emails = batch.ok ? batch.value.emails : [];
  const [sendContext, keyring] = await Promise.all([
    readContext(sending.table, { ...command, now }, emails),
    sending.keyring(),
  ]);
  const limit = (recipients: number) =>
    limitKey(sending.table, sendContext.apiKey, recipients, now, context);
  if (!batch.ok) {
    await limit(1);
    throw batch.error;
  }
  const addressed = emails.map((email) => addressEmail(email, sendContext));
  const { bodies, isStrict } = batch.value;
  const checked = await Promise.all(
    addressed.map(async (email, place) => {
      const one = await checkBatchEmail(email, sendContext, now, logOf(context, place), sending);
      return isStrict ? answerIfKnown(one, sending) : one;
    }),
  );
  const refusal = refusalOfAll(checked, isStrict, command);
  const recipients = addressed.map(recipientsCounted);
  const overCap = await orRefused(() => limit(refusal === undefined ? sumOf(recipients) : 1));
  if (refusal !== undefined) throw overCap ?? refusal;
  if (overCap !== undefined) return answersOverCap(overCap, checked, isStrict, sending);

  const sent = { keyring, context, bodies, startedAt: now };
  if (isStrict) return sendTogether({ checked, recipients, sendContext, sent, command }, sending);
  return sendEach(await limitEach(checked, recipients, sendContext, now, sending), sent, sending);
}

/** Every line about an email says its place. */
export const logOf = ({ log }: RequestContext, place: number): RequestLog => log.part({ place });

/**
 * Emails that an earlier request began have its answers; the others are refused. If there are none, or the batch is
 * strict and has others, all of it is refused.
 */
async function answersOverCap(
  refusal: ServiceError,
  checked: readonly BatchEmail[],
  isStrict: boolean,
  sending: Sending,
): Promise<readonly Outcome[]> {
  if (refusal instanceof FarOverCapError) throw refusal;
  const emails = isStrict
    ? checked
    : await Promise.all(checked.map((email) => answerIfKnown(email, sending)));
  const isWorthIt = isStrict ? emails.every(isAnswered) : emails.some(isAnswered);
  if (!isWorthIt) throw refusal;
  return emails.map((email) =>
    email.kind === 'settled'
      ? email.outcome
      : { ok: false, idempotencyKey: email.email.request.idempotencyKey, error: refusal },
  );
}

type Together = {
  readonly checked: readonly BatchEmail[];
  readonly recipients: readonly number[];
  readonly sendContext: SendContext;
  readonly sent: Sent;
  readonly command: BatchCommand;
};

/** Runs only after the caps of the key let the batch through: loading takes long. */
async function sendTogether(
  { checked, recipients, sendContext, sent, command }: Together,
  sending: Sending,
): Promise<readonly Outcome[]> {
  const files = holdFiles(sending.attachments);
  const { isHeld } = files;
  const holding = { ...sending, attachments: { ...sending.attachments, ...files } };
  const loaded = await loadAll(checked, sent.bodies, holding.attachments);
  const refusal = refusalOfAll(loaded.emails, true, command);
  if (refusal !== undefined) throw refusal;
  const countedAt = await countTogether(loaded, recipients, sendContext, sent.startedAt, sending);
  return sendEach(loaded.emails, { ...sent, isHeld, countedAt }, holding);
}

/** The organization is paused, or the batch is strict and has a fault. */
function refusalOfAll(
  checked: readonly BatchEmail[],
  isStrict: boolean,
  { faultsOf, sharesCode = false }: Pick<BatchCommand, 'faultsOf' | 'sharesCode'>,
): ServiceError | undefined {
  const faults = checked.flatMap((email, place) =>
    email.kind === 'settled' && email.isFault && !email.outcome.ok
      ? [{ place, error: email.outcome.error }]
      : [],
  );
  const pause = faults.find(({ error }) => error.code === 'tenant_paused');
  if (pause !== undefined && (isStrict || !checked.some(isAnswered))) return pause.error;
  if (!isStrict || faults.length === 0) return undefined;
  const refusal = validationFailed(
    faults.flatMap(({ place, error }) => faultsAt(place, error, faultsOf)),
  );
  const [code, ...others] = new Set(faults.map(({ error }) => error.code));
  if (!sharesCode || code === undefined || others.length > 0) return refusal;
  const { message, errors = [] } = refusal;
  return new ServiceError(code, message, { errors });
}

export function faultsAt(
  place: number,
  error: ServiceError,
  faultsOf: FaultsOf = ({ errors = [] }) => errors,
): FieldError[] {
  const at = `emails.${place}`;
  const errors = faultsOf(error);
  return errors.length === 0
    ? [{ path: at, message: error.message }]
    : errors.map(({ path, message }) => ({ path: path === '' ? at : `${at}.${path}`, message }));
}

/**
 * Emails go out in order until a limit is reached. Those that went out earlier don't count; otherwise a batch larger
 * than the limit would never get further, however often it's repeated. That costs a read of each send, but only when
 * not all fit.
 */
async function limitEach(
  checked: readonly BatchEmail[],
  recipients: readonly number[],
  { apiKey, organization }: SendContext,
  now: number,
  sending: Sending,
): Promise<readonly BatchEmail[]> {
  const sizeOf = (email: BatchEmail, place: number): number =>
    recipientsNow(email, recipients[place]);
  const demand = sumOf(checked.map(sizeOf));
  const use =
    demand === 0
      ? undefined
      : await countInOrganization(organization, demand, now, sending, apiKey);
  const refuseBeyondLimit = (emails: readonly BatchEmail[]): readonly BatchEmail[] => {
    let recipientsAhead = 0;
    let sendsAhead = 0;
    return emails.map((email, place) => {
      if (email.kind === 'settled') return email;
      const size = sizeOf(email, place);
      const error =
        refusalToStore(organization, sendsAhead, now, sending, apiKey) ??
        (use === undefined || size === 0 ? undefined : refusalFor(use, recipientsAhead, now));
      recipientsAhead += size;
      sendsAhead += 1;
      return error === undefined ? email : settledAs(email, { ok: false, error });
    });
  };
  const first = refuseBeyondLimit(checked);
  if (first.every((email, place) => email === checked[place])) return checked;
  return refuseBeyondLimit(
    await Promise.all(checked.map((email) => answerIfKnown(email, sending))),
  );
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

type Sent = {
  readonly keyring: Keyring;
  readonly context: RequestContext;
  readonly bodies: readonly unknown[];
  readonly startedAt: number;
  readonly isHeld?: (attachment: Attachment) => boolean;
  readonly countedAt?: (place: number) => CountedWaiting | undefined;
};

/** Emails on their way to SES at once, fewer if SES is too busy. */
const widest = 16;

/** The answer must be out within 29 s. Emails begun in this time are settled by then, whatever SES does. */
const beginningMs = 25_000 - longestCallMs - 2_000;

/** After this, there's no time left to store an email for workers. */
const storingMs = 22_000;

async function sendEach(
  checked: readonly BatchEmail[],
  sent: Sent,
  sending: Sending,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const memory = createSemaphore(attachmentBytesAtOnce);
  let begun = 0;
  let width = Math.min(widest, checked.length);
  let workers = width;
  const turn = {
    ...sent,
    memory,
    onThrottled: () => {
      width = Math.max(1, Math.floor(width / 2));
    },
  };
  const work = async () => {
    while (begun < checked.length) {
      const place = begun;
      begun += 1;
      const email = checked[place];
      if (email === undefined) return;
      const outcome =
        email.kind === 'settled' ? email.outcome : await sendInTurn(email, place, turn, sending);
      outcomes.set(place, outcome);
      if (workers > width) {
        workers -= 1;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return [...checked.keys()].flatMap((place) => outcomes.get(place) ?? []);
}

type Turn = Sent & {
  readonly memory: Semaphore;
  readonly onThrottled: () => void;
};

/** Leaves the email to workers if the batch's time is over or SES is too busy. Never throws: the others go on. */
async function sendInTurn(
  admitted: Admitted,
  place: number,
  { keyring, context, bodies, startedAt, isHeld, countedAt, memory, onThrottled }: Turn,
  sending: Sending,
): Promise<Outcome> {
  const { email } = admitted;
  const { idempotencyKey, attachments } = email.request;
  const isFetched = attachments.some((one) => isBehindUrl(one) && !isHeld?.(one));
  const endOf = (workMs: number) => startedAt + workMs - (isFetched ? longestFetchMs : 0);
  const counted = countedAt?.(place);
  try {
    const result = await memory.run(maxAttachmentBytes(email, sending.attachments), async () => {
      const now = sending.now();
      if (now >= endOf(storingMs)) {
        await counted?.giveBack().catch(() => {});
        return answerOrNotBegun(admitted, sending);
      }
      const log = logOf(context, place);
      const one = { endpoint, email, body: bodies[place], log, counted } as const;
      if (isForLater(email.request)) return sendLater(one, sending);
      if (now >= endOf(beginningMs)) return sendLater(one, sending).catch(orNotBegun);
      const waiting = { keyring, mayWaitUntil: endOf(storingMs), onThrottled };
      return sendOrWait(one, now, waiting, sending);
    });
    return { ok: true, idempotencyKey, ...result };
  } catch (error) {
    return { ok: false, idempotencyKey, error: toServiceError(error) };
  }
}

type Waiting = Pick<Turn, 'keyring' | 'onThrottled'> & { readonly mayWaitUntil: number };

/** Sends one email. If SES is too busy, workers make the next attempt of the same send, so it needs a key. */
async function sendOrWait(
  one: EmailForLater,
  now: number,
  { keyring, mayWaitUntil, onThrottled }: Waiting,
  sending: Sending,
): Promise<SendResult> {
  const { idempotencyKey } = one.email.request;
  try {
    return await sendNow({ ...one, keyring }, now, sending);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'provider_throttled') throw error;
    onThrottled();
    if (idempotencyKey === undefined || sending.now() >= mayWaitUntil) throw error;
    return sendLater(one, sending).catch((cause: unknown) => {
      throw cause instanceof ServiceError ? error : cause;
    });
  }
}

/** The email was meant to go out at once, so repeating it doesn't count towards the waiting ones. */
function orNotBegun(error: unknown): never {
  const isOverWaitingLimit =
    error instanceof ServiceError && error.code === 'waiting_limit_reached';
  throw isOverWaitingLimit ? notBegun() : error;
}

/** An email whose key was used has its answer, however late the batch is. */
async function answerOrNotBegun(admitted: Admitted, sending: Sending): Promise<SendResult> {
  const known = await knownAnswer(admitted, sending);
  if (known === undefined) throw notBegun();
  return known;
}

const notBegun = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'The batch ran out of time before it got to this email, so it wasn’t sent. Wait for retryAfterSeconds, then send it again with the same key.',
    { retryAfterSeconds: 1 },
  );

// All emails of a strict batch go out, or none. So whatever a single send checks during or after its claim is checked
// here, before the first claim. Nothing is written but counts.

type LoadedFiles = Pick<AttachmentSources, 'fetchUpload' | 'fetchFile'> & {
  /** Whether nothing needs to be fetched from a URL when it's sent. */
  readonly isHeld: (attachment: Attachment) => boolean;
};

/** Held for as long as the batch takes. What doesn't fit is loaded again when it's sent. */
const maxHeldBytes = 64 * 1024 * 1024;

function holdFiles({ fetchUpload, fetchFile }: AttachmentSources): LoadedFiles {
  const uploads = new Map<UploadId, UploadedContent>();
  const files = new Map<string, FetchedFile>();
  let left = maxHeldBytes;
  const hold = <Id, File extends { readonly bytes: Uint8Array }>(
    held: Map<Id, File>,
    id: Id,
    file: File,
  ) => {
    if (held.has(id) || file.bytes.length > left) return;
    left -= file.bytes.length;
    held.set(id, file);
  };
  return {
    isHeld: ({ content }) => content.kind !== 'url' || files.has(content.url),
    fetchUpload: async (id) => {
      const upload = uploads.get(id) ?? (await fetchUpload(id));
      if (upload !== undefined) hold(uploads, id, upload);
      return upload;
    },
    fetchFile: async (url, takeBytes, signal) => {
      const file = files.get(url);
      if (file !== undefined) {
        return takeBytes(file.bytes.length) ? { kind: 'fetched', file } : { kind: 'too_large' };
      }
      const outcome = await fetchFile(url, takeBytes, signal);
      if (outcome.kind === 'fetched') hold(files, url, outcome.file);
      return outcome;
    },
  };
}

type Loaded = {
  /** Emails whose attachments can't be loaded are at fault. */
  readonly emails: readonly BatchEmail[];
  /** Bytes that each email for later uses of the day's limit, by its place. */
  readonly laterBytes: ReadonlyMap<number, number>;
};

const width = 16;

async function loadAll(
  checked: readonly BatchEmail[],
  bodies: readonly unknown[],
  sources: Attachments,
): Promise<Loaded> {
  const emails = [...checked];
  const laterBytes = new Map<number, number>();
  const memory = createSemaphore(attachmentBytesAtOnce);
  const signal = AbortSignal.timeout(longestFetchMs);
  await inParallel([...checked.entries()], width, async ([place, one]) => {
    if (one.kind === 'settled') return;
    const { email } = one;
    const loaded = await memory.run(maxAttachmentBytes(email, sources), () =>
      orRefused(() => load({ email, body: bodies[place] }, sources, signal)),
    );
    if (loaded instanceof ServiceError) {
      emails[place] = settledAs(one, { ok: false, error: loaded }, true);
    } else if (loaded !== undefined) {
      laterBytes.set(place, loaded);
    }
  });
  return { emails, laterBytes };
}

/** @returns the bytes to store, if the email goes out later. */
async function load(
  one: Pick<EmailForLater, 'email' | 'body'>,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { organization, request, recipients, attachments } = one.email;
  if (isForLater(request)) return (await contentOf(one, sources, signal)).bytes;
  const isInline = request.attachments.every(({ content }) => content.kind === 'inline');
  if (isInline || recipients.isToSuppressed) return undefined;
  await loadAttachments(request.attachments, sources, {
    organizationId: organization.id,
    knownBytes: attachments.totalBytes,
    signal,
  });
  return undefined;
}

/**
 * Counts all emails towards the organization's limits, or none. If the process dies, the bytes stay counted until
 * midnight, as with a single email that isn't stored.
 *
 * @returns a function that gives back an email's bytes if it isn't stored after all.
 * @throws ServiceError of the limit that refuses them.
 */
async function countTogether(
  { emails, laterBytes }: Loaded,
  recipients: readonly number[],
  { apiKey, organization }: SendContext,
  now: number,
  sending: Sending,
): Promise<(place: number) => CountedWaiting | undefined> {
  const bytes = [...laterBytes.values()].reduce((sum, one) => sum + one, 0);
  const isTest = apiKey.test === true;
  const waiting =
    bytes > 0 ? await limitWaiting(organization, bytes, now, sending, { isTest }) : undefined;
  const sizes = emails.map((email, place) => recipientsNow(email, recipients[place]));
  const outNow = sizes.filter((size) => size > 0);
  try {
    await limitTogether(organization, outNow, now, sending, apiKey);
    const stored = emails.filter(({ kind }) => kind === 'admitted').length;
    const full = stored > 0 && refusalToStore(organization, stored - 1, now, sending, apiKey);
    if (full) throw full;
  } catch (error) {
    await waiting?.giveBack().catch(() => {});
    throw error;
  }
  return (place) => {
    const part = laterBytes.get(place);
    return waiting && part !== undefined ? { giveBack: () => waiting.giveBack(part) } : undefined;
  };
}
