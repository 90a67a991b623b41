import { createHmac } from 'node:crypto';
import { type SignatureFault, toleranceSeconds } from './signature-faults.ts';
import type { Webhook } from './webhook.ts';

export type ReceivedMessage = {
  /** As the receiver sees it. */
  readonly payload: string;
  readonly webhookId: string;
  readonly timestamp: string;
  /** From the header, or computed by the receiver. */
  readonly signature: string;
};

type SignatureVerdict = {
  readonly fits: boolean;
  /** Empty if a receiver should accept the message. No fault reveals anything about a secret. */
  readonly faults: readonly SignatureFault[];
};

/**
 * Tries the common mistakes, alone and combined, fewest first.
 *
 * @param sentBody the body sent under the message's id.
 */
export function explainSignature(
  message: ReceivedMessage,
  webhook: Pick<Webhook, 'secret' | 'previousSecrets'>,
  sentBody: string | undefined,
  now: number,
): SignatureVerdict {
  const signatures = readSignatures(message.signature);
  const faults = fewestFaults(message, webhook, sentBody, signatures, now);
  if (faults === undefined) return { fits: false, faults: [faultWithoutGuess(message, sentBody)] };
  return { fits: faults.length === 0, faults: [...faults, ...ageFaults(message.timestamp, now)] };
}

type Guess<Value> = { readonly value: Value; readonly faults: readonly SignatureFault[] };

function fewestFaults(
  message: ReceivedMessage,
  webhook: Pick<Webhook, 'secret' | 'previousSecrets'>,
  sentBody: string | undefined,
  signatures: readonly Guess<string>[],
  now: number,
): readonly SignatureFault[] | undefined {
  const bodies = guessBodies(message.payload, sentBody);
  const texts = bodies.flatMap((body) => guessTexts(message, body));
  const keys = guessKeys(webhook, now);
  const guesses = texts
    .flatMap((text) =>
      keys.map((key) => ({ text, key, count: text.faults.length + key.faults.length })),
    )
    .sort((one, other) => one.count - other.count);
  for (const { text, key } of guesses) {
    const mac = createHmac('sha256', key.value).update(text.value).digest('base64');
    const found = signatures.find(({ value }) => value === mac);
    if (found !== undefined) return [...key.faults, ...text.faults, ...found.faults];
  }
  return undefined;
}

/** Keys made from the current and past secrets, rightly or wrongly. */
function guessKeys(
  { secret, previousSecrets }: Pick<Webhook, 'secret' | 'previousSecrets'>,
  now: number,
): Guess<Buffer>[] {
  const secrets: Guess<string>[] = [
    { value: secret, faults: [] },
    ...previousSecrets.map((previous) => ({
      value: previous.secret,
      faults: previous.expiresAt > now ? [] : (['old_secret'] as const),
    })),
  ];
  return secrets.flatMap(({ value, faults }) => {
    const text = value.slice(value.indexOf('_') + 1);
    return [
      { value: Buffer.from(text, 'base64'), faults },
      { value: Buffer.from(text), faults: [...faults, 'secret_not_decoded'] },
      { value: Buffer.from(value), faults: [...faults, 'secret_with_prefix'] },
      { value: Buffer.from(value, 'base64'), faults: [...faults, 'secret_with_prefix'] },
    ];
  });
}

function guessTexts(
  { webhookId, timestamp }: ReceivedMessage,
  { body, faults }: BodyGuess,
): Guess<string>[] {
  const seconds = secondsOf(timestamp);
  const inSeconds =
    seconds === undefined || `${seconds}` === timestamp
      ? []
      : [
          {
            value: `${webhookId}.${seconds}.${body}`,
            faults: [...faults, 'timestamp_form'] as const,
          },
        ];
  return [
    { value: `${webhookId}.${timestamp}.${body}`, faults },
    ...inSeconds,
    ...[
      body,
      `${timestamp}.${body}`,
      `${webhookId}.${body}`,
      `${webhookId}${timestamp}${body}`,
    ].map((value) => ({ value, faults: [...faults, 'signed_text'] as const })),
  ];
}

/** A timestamp should be in seconds. Also reads milliseconds and dates. */
function secondsOf(timestamp: string): number | undefined {
  if (/^\d{13}$/.test(timestamp)) return Math.floor(Number(timestamp) / 1_000);
  if (/^\d{1,12}$/.test(timestamp)) return Number(timestamp);
  const moment = Date.parse(timestamp);
  return Number.isNaN(moment) ? undefined : Math.floor(moment / 1_000);
}

/** The signatures in a header, or one that a receiver computed, as base64. */
function readSignatures(text: string): Guess<string>[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [, version = '', value = ''] = /^(?:(\w{1,10})[,=](?!$))?(.+)$/.exec(part) ?? [];
      const isHex = /^[0-9a-f]{64}$/i.test(value);
      const base64 = Buffer.from(value, isHex ? 'hex' : 'base64').toString('base64');
      const isAsSent = version === 'v1' && part === `v1,${base64}`;
      return { value: base64, faults: isAsSent ? [] : ['signature_form'] };
    });
}

function ageFaults(timestamp: string, now: number): SignatureFault[] {
  const seconds = secondsOf(timestamp);
  if (seconds === undefined) return [];
  const age = now / 1_000 - seconds;
  if (age > toleranceSeconds) return ['old_timestamp'];
  return age < -toleranceSeconds ? ['future_timestamp'] : [];
}

function faultWithoutGuess(
  { webhookId, payload }: ReceivedMessage,
  sentBody: string | undefined,
): SignatureFault {
  if (webhookId.startsWith('whk_')) return 'wrong_id';
  const isOther = sentBody !== undefined && sentBody !== payload && !isSameJson(sentBody, payload);
  return isOther ? 'body_changed' : 'unknown';
}

/** A body, and the receiver's faults that would explain a signature of it. */
type BodyGuess = { readonly body: string; readonly faults: readonly SignatureFault[] };

/**
 * Each guess once, starting with what the receiver takes for the body.
 *
 * @param sent the body that was sent, if known.
 */
export function guessBodies(payload: string, sent: string | undefined): BodyGuess[] {
  const value = parse(payload);
  const trimmed = payload.trimEnd();
  const guesses: BodyGuess[] = [
    { body: payload, faults: [] },
    ...[trimmed, `${trimmed}\n`, `${trimmed}\r\n`].map((body) => ({
      body,
      faults: ['trailing_newline'] as const,
    })),
    ...(sent === undefined ? [] : [{ body: sent, faults: [faultBetween(payload, sent)] }]),
    ...(value === undefined ? [] : reprints(value)).map((body) => ({
      body,
      faults: ['body_reprinted'] as const,
    })),
  ];
  const first = new Map<string, BodyGuess>();
  for (const guess of guesses) if (!first.has(guess.body)) first.set(guess.body, guess);
  return [...first.values()];
}

/** Ignores white space, escapes and key order. */
function isSameJson(one: string, other: string): boolean {
  const [first, second] = [parse(one), parse(other)];
  return (
    first !== undefined && second !== undefined && print(sorted(first)) === print(sorted(second))
  );
}

const faultBetween = (payload: string, sent: string): SignatureFault =>
  isSameJson(payload, sent) ? 'body_reprinted' : 'body_changed';

/** As common languages print JSON by default, with keys in the given order and sorted. */
function reprints(value: unknown): string[] {
  const indents = indentation(value) > maxIndentation ? [undefined] : [undefined, 2, 4];
  return [value, sorted(value)].flatMap((shown) => [
    ...indents.map((indent) => print(shown, indent)),
    asPythonDoes(shown),
  ]);
}

/** Far more than a message needs. Each value of a deep list is indented by its depth. */
const maxIndentation = 400_000;

/** The white space before the values, four more on each level. */
const indentation = (value: unknown): number =>
  levelsOf(value).reduce((sum, { length }, depth) => sum + length * depth * 4, 0);

const print = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent);

/** `json.dumps`: a space after comma and colon, and every non-ASCII character escaped. */
function asPythonDoes(value: unknown): string {
  const spaced = printSpaced(value);
  return spaced.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function printSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printSpaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return print(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${print(key)}: ${printSpaced(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `undefined` if the text isn't JSON, since no JSON parses to it, or nests deeper than a message. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return levelsOf(value).length > maxLevels ? undefined : value;
  } catch {
    return undefined;
  }
}

/** An email's metadata has up to 31 in its message. What sorts and prints a value recurses. */
const maxLevels = 40;

/** The values of each level, up to one level too many. Without recursion, so that no value is too deep. */
function levelsOf(value: unknown): unknown[][] {
  const levels: unknown[][] = [];
  let level = [value];
  while (level.length > 0 && levels.length <= maxLevels) {
    levels.push(level);
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return levels;
}
