import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import { maxRecipients } from '#shared/sending/request/send-fields';
import { portOf } from '../local/server.ts';
import { type ConnectionLimit, createConnectionLimit } from './connection-limit.ts';
import type { Log } from './log.ts';
import { parseMessage } from './parsing.ts';
import { createReceiver, type Incomplete } from './receiving.ts';
import { recipientCheck } from './recipient.ts';
import { SmtpRefusal } from './refusal.ts';
import { type Reply, type Service, tooLarge, tryAgain } from './service.ts';
import { translate } from './translation.ts';

export type ServerSettings = {
  readonly host: string;
  /** 0 means a free one. */
  readonly port: number;
  /** PEM. Without them there is no STARTTLS, and passwords are sent in the clear: on loopback only. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly takesPlainPasswords: boolean;
  readonly maxConnections: number;
  /** Per address, and per key. */
  readonly maxConnectionsEach: number;
  /** Each takes a few times its size in memory. */
  readonly maxMessagesAtOnce: number;
};

type RunningServer = {
  readonly port: number;
  /** Accepts nothing new, and finishes messages in progress. */
  stop(): Promise<void>;
};

/** As base64, it fits Lambda's request limit of 6 MB. */
const maxMessageBytes = 6_000_000;
/** Longer than the service may take to answer. */
const stopMs = 40_000;

export async function startSmtpServer(
  settings: ServerSettings,
  service: Service,
  log: Log,
): Promise<RunningServer> {
  const { host, port, tls, takesPlainPasswords, maxConnections, maxConnectionsEach } = settings;
  const perAddress = createConnectionLimit(maxConnectionsEach);
  const perKey = createConnectionLimit(maxConnectionsEach);
  const progress: Progress = { messages: 0, isStopping: false };
  const unlessStopping = (callback: (error?: Error | null) => void) =>
    callback(progress.isStopping ? new SmtpRefusal(421, 'Shutting down, try again') : null);
  const server = new SMTPServer({
    name: 'email-service',
    logger: false,
    ...(tls === undefined ? { disabledCommands: ['STARTTLS'] } : { ...tls, minVersion: 'TLSv1.2' }),
    allowInsecureAuth: takesPlainPasswords,
    authMethods: ['PLAIN', 'LOGIN'],
    authRequiredMessage: 'Authenticate first, with the user apikey and an API key as password',
    size: maxMessageBytes,
    rejectOversized: true,
    maxRecipients,
    maxClients: maxConnections,
    hideSMTPUTF8: true,
    disableReverseLookup: true,
    closeTimeout: 250,
    onConnect: ({ id, remoteAddress }, callback) =>
      perAddress.enter(id, remoteAddress)
        ? unlessStopping(callback)
        : callback(new SmtpRefusal(421, 'Too many connections from this address, try again')),
    onClose: ({ id }) => {
      perAddress.leave(id);
      perKey.leave(id);
    },
    onMailFrom: (_, __, callback) => unlessStopping(callback),
    onAuth: keyCheck(service, perKey, log),
    onRcptTo: recipientCheck(log),
    onData: messageHandler(settings, service, progress, log),
  });
  // Lost clients and failed handshakes.
  server.on('error', (error) => log('connection error', { code: codeOfError(error) }));
  await listening(server, port, host);
  return {
    port: portOf(server.server),
    stop: async () => {
      progress.isStopping = true;
      const givenUpAt = performance.now() + stopMs;
      while (progress.messages > 0 && performance.now() < givenUpAt) await sleep(50);
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

type Progress = { messages: number; isStopping: boolean };

function messageHandler(
  { maxMessagesAtOnce }: ServerSettings,
  service: Service,
  progress: Progress,
  log: Log,
): NonNullable<SMTPServerOptions['onData']> {
  const slots = createSlots(maxMessagesAtOnce);
  const receive = createReceiver(maxMessagesAtOnce * maxMessageBytes);
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply> => {
    try {
      return await receive(stream, async (raw) =>
        typeof raw === 'string'
          ? replyToIncomplete[raw]
          : slots.use(() => answerMessage(raw, session, service)),
      );
    } catch (error) {
      log('fault', { name: error instanceof Error ? error.name : typeof error });
      return tryAgain('internal_error', 'The message could not be handled.');
    }
  };
  return (stream, session, callback) => {
    const began = performance.now();
    const recipients = session.envelope.rcptTo.length;
    progress.messages += 1;
    void take(stream, session).then(({ code, text, facts }) => {
      progress.messages -= 1;
      const ms = Math.round(performance.now() - began);
      log('message', { reply: code, ...facts, recipients, bytes: stream.byteLength, ms });
      return code === 250 ? callback(null, text) : callback(new SmtpRefusal(code, text));
    });
  };
}

const replyToIncomplete: Readonly<Record<Incomplete, Reply>> = {
  broke_off: { code: 421, text: 'The message was cut off, try again' },
  too_slow: {
    code: 421,
    text: 'The message arrived too slowly, try again',
    facts: { problem: 'too_slow' },
  },
  too_large: { code: 552, text: tooLarge },
  too_much_at_once: tryAgain('too_much_at_once', 'Too many large messages at once.'),
};

async function answerMessage(
  raw: Buffer,
  { user, envelope }: SMTPServerSession,
  service: Service,
): Promise<Reply> {
  const recipients = envelope.rcptTo.map(({ address }) => address);
  const mail = await parseMessage(raw);
  if (mail === undefined)
    return { code: 554, text: 'malformed_message: The message is not valid MIME.' };
  const translation = translate({ raw, mail, recipients });
  if (!translation.ok) {
    const { code, reason } = translation;
    return { code: 554, text: `${code}: ${reason}`, facts: { problem: code } };
  }
  return service.send(String(user), translation.request);
}

/** A complete message takes a slot. Beyond the limit, it waits, and so does its client. */
function createSlots(most: number) {
  const waiting: (() => void)[] = [];
  let used = 0;
  return {
    async use<Result>(work: () => Promise<Result>): Promise<Result> {
      if (used < most) used += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) used -= 1;
        else next();
      }
    },
  };
}

function listening(server: SMTPServer, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.server.once('error', reject);
  server.listen(port, host, () => {
    server.server.off('error', reject);
    resolve();
  });
  return promise;
}

const codeOfError = (error: Error): unknown => ('code' in error ? error.code : error.name);

type TakesKey = Service['takesKey'];

/** Accepts API keys as passwords, each on a limited number of connections. */
function keyCheck(
  service: Service,
  perKey: ConnectionLimit,
  log: Log,
): NonNullable<SMTPServerOptions['onAuth']> {
  const takesKey = rememberingKeys(service.takesKey);
  return ({ username, password }, { id }, callback) => {
    void refusalOf(username, password, takesKey).then((refused) => {
      const isOverLimit = refused === undefined && !perKey.enter(id, password ?? '');
      const refusal = isOverLimit
        ? new SmtpRefusal(421, 'Too many connections with this key, try again')
        : refused;
      if (refusal === undefined) return callback(null, { user: password });
      log('auth refused', { reply: refusal.responseCode });
      return callback(refusal);
    });
  };
}

/** `undefined` if the credentials are accepted. */
async function refusalOf(
  username: string | undefined,
  password: string | null | undefined,
  takesKey: TakesKey,
): Promise<SmtpRefusal | undefined> {
  const isForm = username?.toLowerCase() === 'apikey' && /^[!-~]{1,200}$/.test(password ?? '');
  const isTaken = isForm && (await takesKey(password ?? ''));
  if (isTaken === undefined) return new SmtpRefusal(454, 'The service did not answer, try again');
  if (isTaken) return undefined;
  return new SmtpRefusal(
    535,
    'invalid_api_key: Log in with the user apikey and a valid API key as password',
  );
}

const rememberMs = 60_000;

/** Some clients log in for each message. A key that is revoked in between is refused at its next send. */
function rememberingKeys(takesKey: TakesKey): TakesKey {
  const known = new Map<string, number>();
  return async (key) => {
    const digest = createHash('sha256').update(key).digest('base64');
    const now = performance.now();
    for (const [old, until] of known) if (until < now) known.delete(old);
    if (known.has(digest)) return true;
    const isTaken = await takesKey(key);
    if (isTaken) known.set(digest, performance.now() + rememberMs);
    return isTaken;
  };
}
