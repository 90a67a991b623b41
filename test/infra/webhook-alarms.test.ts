import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '#shared/webhook-deliveries/attempt-delivery';
import { type Datapoints, openAlarm } from './alarm-state.ts';
import { synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();

describe('the alarm of webhook attempts that fail', () => {
  const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/attempts-fail');
  const ended = (result: AttemptResult) => `Sum WebhookAttempted result=${result}`;
  const [delivered, again, failed] = [ended('delivered'), ended('rescheduled'), ended('failed')];

  it.each<[string, Datapoints]>([
    ['all of them', { [again]: [20] }],
    ['three of four', { [delivered]: [25], [again]: [70], [failed]: [5] }],
    ['four of five, for good', { [delivered]: [10], [failed]: [40] }],
  ])('rings when in a quarter of an hour %s fail', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing is attempted', {}],
    ['all are delivered', { [delivered]: [100] }],
    ['more than a quarter is delivered', { [delivered]: [26], [again]: [74] }],
    ['few fail', { [failed]: [10], [again]: [9] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of deliveries that wait', () => {
  it('rings when every run of five minutes finds one five minutes late', () => {
    const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/deliveries-late');
    const ringsAt = (ms: number) => alarm.rings({ 'Minimum WebhookOldestDueLateness': [ms] });

    expect(alarm.minutes).toBe(5);
    expect([299_999, 300_000].map(ringsAt)).toEqual([false, true]);
  });
});

describe('the alarm of a queue that is not run', () => {
  it('rings when no run has published for five minutes', () => {
    const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/queue-not-run');
    const ringsAfter = (...runs: number[]) =>
      alarm.rings({ 'SampleCount WebhookOldestDueLateness': runs });

    expect(alarm.minutes).toBe(5);
    expect([ringsAfter(), ringsAfter(1)]).toEqual([true, false]);
  });
});
