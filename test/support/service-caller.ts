import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { sendAnswerSchema } from '#shared/sending/send';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { endpoint as getSendEndpoint } from '../../functions/get-send/get-send.ts';
import { patience } from './patience.ts';
import { type Problem, problemIn } from './problem.ts';
import { buildSendBody } from './send-body-builder.ts';

const timelineSchema = getSendEndpoint.answers[200].body;

export type ServiceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly text: string;
  /** Of an answer that is no success. */
  readonly problem: Problem | undefined;
};
export type SendAnswer = ServiceAnswer & { readonly result: SendResult | undefined };
export type SendResult = z.output<typeof sendAnswerSchema>;
export type Timeline = z.output<typeof timelineSchema>;

type Fields = Readonly<Record<string, unknown>>;
type RequestHeaders = Readonly<Record<string, string>>;

/** A program that calls the service over HTTP with one API key. */
export type ServiceCaller = {
  readonly organizationId: OrganizationId;
  readonly apiKey: string;
  /** Sends the smallest email, with these fields on top. */
  send(fields?: Fields, headers?: RequestHeaders): Promise<SendAnswer>;
  /** Sends a body as it is. */
  post(body: string, headers?: RequestHeaders): Promise<SendAnswer>;
  /** Reads a timeline with the caller's own key. */
  timeline(sendId: string): Promise<Timeline>;
  /** The same, whatever comes of it. */
  requestTimeline(sendId: string): Promise<ServiceAnswer>;
};

export type CallerIdentity = { readonly organizationId: OrganizationId; readonly apiKey: string };

/** @param baseUrl where the service is now: it may have been restarted. */
export function createServiceCaller(
  { organizationId, apiKey }: CallerIdentity,
  baseUrl: () => string,
): ServiceCaller {
  const authorization = { authorization: `Bearer ${apiKey}` };
  const post = async (body: string, headers: RequestHeaders = {}): Promise<SendAnswer> => {
    const response = await fetch(`${baseUrl()}/api/v1/emails/send`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json', ...headers },
      body,
    });
    const answer = await readAnswer(response);
    const result = response.ok ? sendAnswerSchema.parse(JSON.parse(answer.text)) : undefined;
    return { ...answer, result };
  };
  const requestTimeline = (sendId: string) =>
    fetch(`${baseUrl()}/api/v1/sends/${sendId}`, { headers: authorization }).then(readAnswer);
  return {
    organizationId,
    apiKey,
    post,
    send: (fields = {}, headers = {}) => post(JSON.stringify(buildSendBody(fields)), headers),
    timeline: async (sendId) =>
      timelineSchema.parse(JSON.parse((await requestTimeline(sendId)).text)),
    requestTimeline,
  };
}

async function readAnswer(response: Response): Promise<ServiceAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const isProblem = headers.get('content-type') === 'application/problem+json';
  const retryAfter = headers.get('retry-after');
  return {
    status,
    headers,
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
    text,
    problem: isProblem ? problemIn({ statusCode: status, headers: {}, body: text }) : undefined,
  };
}

/** What the send answered. @throws Error when it answered no 200. */
export function resultOf({ result, status, text }: SendAnswer): SendResult {
  if (result === undefined) throw new Error(`expected a 200, not ${status}: ${text}`);
  return result;
}

/**
 * Repeats a request as a caller should: after each `Retry-After`, until a 200. It does not count the tries:
 * how many it takes depends on how busy the machine is.
 *
 * @param wait lets so many milliseconds pass.
 */
export async function retryUntilDone(
  request: () => Promise<SendAnswer>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<SendResult> {
  const givenUpAt = performance.now() + patience.timeout;
  for (;;) {
    const answer = await request();
    if (answer.retryAfter === undefined || performance.now() >= givenUpAt) return resultOf(answer);
    await wait(answer.retryAfter * 1_000);
  }
}
