import * as z from 'zod/mini';
import { feedbackIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import type { Request } from './translation.ts';

/** `facts` are for the log: no addresses and no content. */
export type Reply = {
  readonly code: number;
  readonly text: string;
  readonly facts?: Readonly<Record<string, unknown>>;
};

export type Service = {
  /** `undefined` if the service doesn't answer. */
  takesKey(key: string): Promise<boolean | undefined>;
  send(key: string, request: Request): Promise<Reply>;
};

type ServiceOptions = {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Stores emails for workers to send: for clients that never retry. */
  readonly isQueued: boolean;
};

/** Longer than any of the API's functions may take. */
const timeoutMs = 35_000;

export function emailServiceAt({ baseUrl, fetch, isQueued }: ServiceOptions): Service {
  const ask = (path: string, key: string, init: RequestInit): Promise<Response> =>
    fetch(new URL(path, baseUrl), {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
      // A redirect would send the key wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  return {
    takesKey: async (key) => {
      try {
        const response = await ask('/api/v1/api-key', key, {});
        await response.body?.cancel();
        return response.status >= 500 || response.status === 429
          ? undefined
          : response.status !== 401;
      } catch {
        return undefined;
      }
    },
    send: async (key, { idempotencyKey, body }) => {
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const sent = JSON.stringify(isQueued ? { ...body, mode: 'queued' } : body);
      try {
        const response = await ask('/api/v1/emails/send', key, {
          method: 'POST',
          headers,
          body: sent,
        });
        return replyTo(response.status, response.headers, await readJson(response));
      } catch {
        // It may have arrived. If the client repeats the message, it has the same key.
        return tryAgain('no_answer', 'The service did not answer.');
      }
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sentSchema = z.object({ sendId: z.string(), status: z.string() });
const problemSchema = z.object({ code: z.string(), detail: z.string() });

/**
 * A suppressed recipient isn't the message's fault: 250, like the API's 200. 4xx lets a client repeat the message; 5xx
 * tells it to give up.
 */
export function replyTo(status: number, headers: Headers, body: unknown): Reply {
  const requestId = headers.get('x-request-id') ?? undefined;
  const sent = z.safeParse(sentSchema, body).data;
  const isSent = status >= 200 && status < 300 && sent !== undefined;
  if (isSent) {
    const { status: state } = sent;
    // A send can be readable by its id alone, so replies and logs don't show it.
    const sendId = sendIdSchema.safeParse(sent.sendId).data;
    const feedbackId = sendId && feedbackIdOf(sendId);
    return {
      code: 250,
      text: ['OK', feedbackId, state].filter(Boolean).join(' '),
      facts: { status, feedbackId, state, requestId },
    };
  }
  if (status === 413) return { code: 552, text: tooLarge, facts: { status, requestId } };
  const problem = z.safeParse(problemSchema, body).data;
  // From a proxy, or a wrong address.
  if (problem === undefined) return tryAgain('unknown_answer', `The service answered ${status}.`);
  const { code, detail } = problem;
  const facts = { status, problem: code, requestId };
  const wait = headers.get('retry-after');
  const about = [wait && `try again in ${wait} s`, requestId && `request ${requestId}`];
  const text = `${code}: ${detail} (${about.filter(Boolean).join(', ')})`;
  return { code: codeOf(status, code, wait !== null), text, facts };
}

function codeOf(status: number, code: string, hasWait: boolean): number {
  if (status === 401) return 535;
  const isPassing = hasWait || isPassingStatus(status) || misdirected.has(code);
  return final.has(code) || !isPassing ? 554 : 451;
}

/** For a send, 409 only means that it's in progress. */
const isPassingStatus = (status: number): boolean =>
  status === 409 || status === 429 || status >= 500;
/** SES refused this email, and would again. */
const final = new Set(['provider_rejected']);
/** The service's address is wrong, not the message. */
const misdirected = new Set(['endpoint_not_found', 'method_not_allowed']);

export const tooLarge = 'too_large: The message is too large.';

export const tryAgain = (problem: string, text: string): Reply => ({
  code: 451,
  text: `${problem}: ${text} Try again later.`,
  facts: { problem },
});
