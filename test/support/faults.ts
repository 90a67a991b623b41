import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsAnswer } from './aws-answers.ts';

/** One request on its way through the fault proxy. */
export type Exchange = {
  /** The parsed JSON body. */
  readonly body: unknown;
  /** Of the SDK's call, which its retries repeat. */
  readonly invocationId: string | undefined;
  /** Sends the request on and waits for the target's answer, which the client does not get yet. */
  forward(): Promise<AwsAnswer>;
  /** Answers the client. */
  respond(answer: AwsAnswer): void;
  /** Breaks the client's connection, as a crashed or unreachable server does. */
  reset(): void;
};

/** What happens to a request instead of being forwarded and answered. */
export type Action = (exchange: Exchange) => Promise<void> | void;

type AnswerSource = AwsAnswer | ((requestBody: unknown) => AwsAnswer);

const answerTo = (source: AnswerSource, { body }: Exchange): AwsAnswer =>
  typeof source === 'function' ? source(body) : source;

/** The target never hears of it; the client gets this answer. */
export const answerInstead =
  (source: AnswerSource): Action =>
  (exchange) =>
    exchange.respond(answerTo(source, exchange));

/** The target never hears of it; the client's connection breaks. */
export const resetBeforeForwarding = (): Action => (exchange) => exchange.reset();

/** The target never hears of it; the client waits. */
export const hangBeforeForwarding = (): Action => () => {};

/** The target does it; the client's connection breaks before the answer. */
export const loseAnswer = (): Action => async (exchange) => {
  await exchange.forward();
  exchange.reset();
};

/** The target does it; the client waits for the answer in vain. */
export const withholdAnswer = (): Action => async (exchange) => {
  await exchange.forward();
};

/** The target does it; the client gets another answer. */
export const replaceAnswer =
  (source: AnswerSource): Action =>
  async (exchange) => {
    await exchange.forward();
    exchange.respond(answerTo(source, exchange));
  };

/** The target does it, but later. */
export const delayForwarding =
  (milliseconds: number): Action =>
  async (exchange) => {
    await sleep(milliseconds);
    exchange.respond(await exchange.forward());
  };

/** Runs something before the target hears of it, for example kills the client's process. */
export const runBefore =
  (run: () => Promise<void> | void): Action =>
  async (exchange) => {
    await run();
    exchange.respond(await exchange.forward());
  };

/** Runs something after the target has done it and before the client gets the answer. */
export const runAfter =
  (run: () => Promise<void> | void): Action =>
  async (exchange) => {
    const answer = await exchange.forward();
    await run();
    exchange.respond(answer);
  };
