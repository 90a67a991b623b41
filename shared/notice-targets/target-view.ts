import * as z from 'zod/mini';
import { exampleTime } from '#shared/tokens/example-values';
import { type NoticeTarget, shownTarget, targetStateSchema } from './notice-target.ts';
import type { NoticeTargets } from './notice-target-store.ts';
import { targetTypes } from './target-types.ts';

export const noticeTargetViewSchema = z.object({
  key: z.string(),
  type: z.enum(targetTypes),
  host: z.string(),
  endsWith: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
  ...targetStateSchema.shape,
});
export type NoticeTargetView = z.infer<typeof noticeTargetViewSchema>;

export const targetViewOf = (
  key: string,
  target: NoticeTarget,
  { states }: Pick<NoticeTargets, 'states'>,
): NoticeTargetView => ({
  key,
  ...shownTarget(target),
  createdAt: target.createdAt,
  updatedAt: target.updatedAt,
  ...states.get(key),
});

export const exampleTarget: NoticeTargetView = {
  key: 'on-call',
  type: 'slack',
  host: 'hooks.slack.com',
  endsWith: 'Tm4T',
  createdAt: exampleTime,
  updatedAt: exampleTime,
  lastSentAt: exampleTime + 60_000,
};

export const targetWords = {
  key: 'Its name: lower-case letters, digits, `-` and `_`.',
  type: '`slack`: an incoming webhook. `teams`: a workflow that begins with “When a Teams webhook request is received”. `pagerduty`: an integration of the type Events API v2.',
  host: 'Where its messages are posted.',
  endsWith: 'The last characters of its URL or routing key, which is never shown whole again.',
  lastSentAt: 'The last notice or test that it took, in epoch milliseconds.',
  lastFailure: 'The last notice or test that it didn’t take. Absent once a later one gets through.',
  'lastFailure.at': 'When, in epoch milliseconds.',
  'lastFailure.reason':
    '`status_404` and the like is the status it answered; otherwise why there was no answer, such as `timeout` or `name_not_resolved`.',
} as const;
