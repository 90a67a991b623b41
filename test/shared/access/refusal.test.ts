import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newRefusal,
  placesOf,
  placesPerMinute,
  shownPath,
  shownWords,
} from '#shared/access/refusal';
import { createRefusalTally } from '#shared/access/refusal-tally';
import { ServiceError, validationFailed } from '#shared/errors/service-error';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { buildRefusal } from '../../support/refusal-builder.ts';

const request = {
  apiKeyId: newApiKeyId(newOrganizationId()),
  route: 'POST /api/v1/emails/send',
  requestId: 'request-1',
};
const now = 1_750_000_000_000;

describe('what is stored of a refused request', () => {
  it('includes code, status and each invalid field once, in order', () => {
    const faults = ['to', 'cc.3', 'cc.12', 'attachments.0.contentBase64', 'html'].map((path) => ({
      path,
      message: 'is wrong',
    }));

    const answered = { status: 400, faults };
    expect(newRefusal(request, validationFailed(faults), answered, now)).toEqual({
      ...request,
      status: 400,
      code: 'validation_failed',
      fields: ['attachments.*.contentBase64', 'cc.*', 'html', 'to'],
      message: '`to` is wrong; `cc.*` is wrong; `cc.*` is wrong; and 2 more',
      at: now,
    });
  });

  it('has no fields when none is invalid', () => {
    const error = new ServiceError('tenant_paused');

    expect(newRefusal(request, error, { status: 403, faults: [] }, now)).toMatchObject({
      status: 403,
      fields: [],
      message: error.message,
    });
  });

  it('includes at most ten fields', () => {
    const faults = Array.from({ length: 30 }, (_, index) => ({ path: `f${index}`, message: '' }));

    const refusal = newRefusal(request, validationFailed(faults), { status: 400, faults }, now);

    expect(refusal.fields).toHaveLength(10);
    expect(refusal.message.length).toBeLessThanOrEqual(300);
  });

  it.each([
    ['is not a field of this request', 'is not a field of this request'],
    ['duplicates the key of emails.3', undefined],
    ['has no counterpart in messages of format "resend"', undefined],
    [
      'must be an address of an active domain, which shop.example is not',
      'must be an address of an active domain, which … is not',
    ],
    ['must be one of billing@shop.example, *@shop.example', 'must be one of … …'],
    ['no category "Ann Miller"', 'no category …'],
    ['leads to https://shop.example/?user=ann', 'leads to …'],
    ['is not 4366412345678', 'is not …'],
  ])('shows %j as %j', (message, shown = message) => {
    expect(shownWords(message)).toBe(shown);
  });

  it.each([
    ['ann.miller@example.com', '*'],
    ['variables.ann@example', '*'],
    ['variables.7.name', 'variables.*.name'],
    ['a.b.c.d.e.f.g', 'a.b.c.d.e.f'],
    ['+43 664 1234567', '*'],
    ['4366412345678', '*'],
    ['', '*'],
    ['x'.repeat(41), '*'],
    ['Ännchen', '*'],
    ['List-Unsubscribe', 'List-Unsubscribe'],
  ])('shows a field %j as %j', (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });

  it('never has an address, a number or a sentence in a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        expect(shownPath(path)).toMatch(/^(?:\*|[A-Za-z_][\w-]*)(?:\.(?:\*|[A-Za-z_][\w-]*))*$/);
      }),
    );
  });
});

describe("a refusal's slots", () => {
  it("are the same for similar ones of a minute, all different, and among the minute's slots", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 59_999 }), (code, ms) => {
        const minute = 1_750_000_020_000;
        const places = placesOf(buildRefusal({ ...request, code, at: minute }));

        expect(placesOf(buildRefusal({ ...request, code, at: minute + ms }))).toEqual(places);
        expect(new Set(places).size).toBe(places.length);
        expect(places.every((place) => place >= 0 && place < placesPerMinute)).toBe(true);
      }),
    );
  });
});

describe('a tally of refusals', () => {
  it('reports each of the first nine at once', () => {
    const tally = createRefusalTally();

    expect(Array.from({ length: 10 }, () => tally.add('kind', now))).toEqual([
      ...Array.from({ length: 9 }, () => 1),
      0,
    ]);
  });

  it('is never more than an eighth behind, and rarely writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (seen) => {
        const tally = createRefusalTally();
        const written = Array.from({ length: seen }, () => tally.add('kind', now));

        const sum = written.reduce((total, count) => total + count, 0);
        expect(sum).toBeLessThanOrEqual(seen);
        expect((seen - sum) * 8).toBeLessThan(sum + 8);
        expect(written.filter((count) => count > 0).length).toBeLessThanOrEqual(75);
      }),
      { numRuns: 30 },
    );
  });

  it('counts each kind and each minute separately', () => {
    const tally = createRefusalTally();
    for (let count = 0; count < 100; count += 1) tally.add('kind', now);

    expect(tally.add('other', now)).toBe(1);
    expect(tally.add('kind', now + 60_000)).toBe(1);
  });

  it('stops writing a kind in a minute that has no slot left for it', () => {
    const tally = createRefusalTally();
    tally.add('kind', now);
    tally.giveUp('kind', now);

    expect(Array.from({ length: 50 }, () => tally.add('kind', now))).not.toContain(1);
    expect(tally.add('kind', now + 60_000)).toBe(1);
  });

  it('uses no more memory for a program that is refused in ever new ways', () => {
    const tally = createRefusalTally();
    const written = Array.from({ length: 3_000 }, (_, index) => tally.add(`kind ${index}`, now));

    expect(written.filter((count) => count > 0)).toHaveLength(1_000);
  });
});
