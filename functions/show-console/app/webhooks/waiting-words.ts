import type { Answer } from '../../../api.ts';
import { count, shorten } from '../shared/format.ts';
import { type Attempt, answerText, type Delivery } from './deliveries.ts';

export type Waiting = Answer<'GET /api/v1/webhooks/{id}'>['waiting'];

/** Such as “214 deliveries wait”. */
export function waitingText({ count: waiting, isExact }: Waiting): string {
  const number = `${isExact ? '' : 'At least '}${count(waiting, 'delivery', 'deliveries')}`;
  return `${number} ${waiting === 1 && isExact ? 'waits' : 'wait'}`;
}

/** What a receiver does: “answers 502”, or “gives no answer (timed out)”. */
export const doesText = (attempt: Attempt): string =>
  attempt.statusCode === undefined
    ? `gives no answer (${answerText(attempt).toLowerCase()})`
    : `answers ${attempt.statusCode}`;

export type AnswerGroup = {
  readonly words: string;
  /** The first line of what came with it. */
  readonly text: string;
  readonly times: number;
  /** The newest of them. */
  readonly delivery: Delivery;
};

const mostShown = 100;

/** The last answers to deliveries that haven't arrived, the same one once, the most frequent first. */
export function failuresIn(deliveries: readonly Delivery[]): readonly AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>();
  for (const delivery of deliveries) {
    const last = delivery.attempts.at(-1);
    if (last === undefined || delivery.status === 'delivered') continue;
    const words = answerText(last);
    const text = firstLine(last.answer);
    const key = `${words} ${text}`;
    const known = groups.get(key);
    groups.set(key, {
      ...(known ?? { words, text, delivery }),
      times: (known?.times ?? 0) + 1,
    });
  }
  return [...groups.values()].sort((one, other) => other.times - one.times);
}

const firstLine = (answer = ''): string =>
  shorten(
    answer
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? '',
    mostShown,
  );

/** Of the attempts that arrived: half were answered within this time. */
export function medianMs(deliveries: readonly Delivery[]): number | undefined {
  const times = deliveries
    .filter(({ status }) => status === 'delivered')
    .flatMap(({ attempts }) => attempts.at(-1)?.durationMs ?? [])
    .sort((one, other) => one - other);
  return times[Math.floor((times.length - 1) / 2)];
}
