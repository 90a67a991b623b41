import { describe, expect, it } from 'vitest';
import { SlowAnswers } from '#shared/webhooks/slow-answers';
import { buildWebhook } from './webhook-builder.ts';

const { id } = buildWebhook();

/** Sees this many quick answers of an endpoint. */
function seeQuick(answers: SlowAnswers, count: number, of = id) {
  for (let seen = 0; seen < count; seen += 1) answers.noteQuick(of);
}

describe('a slow answer', () => {
  it('counts when it is the first of its endpoint', () => {
    expect(new SlowAnswers().counts(id)).toBe(true);
  });

  it('does not count when it is one of twenty', () => {
    const answers = new SlowAnswers();

    seeQuick(answers, 18);
    expect(answers.counts(id)).toBe(true);

    seeQuick(answers, 19);
    expect(answers.counts(id)).toBe(false);
  });

  it('counts right after another, however many quick ones were before', () => {
    const answers = new SlowAnswers();
    seeQuick(answers, 5_000);

    expect(answers.counts(id)).toBe(false);
    expect(answers.counts(id)).toBe(true);
  });

  it('counts whatever another endpoint answers', () => {
    const answers = new SlowAnswers();
    seeQuick(answers, 100, buildWebhook().id);

    expect(answers.counts(id)).toBe(true);
  });
});
