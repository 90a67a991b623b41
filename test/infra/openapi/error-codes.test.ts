import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { errorCodesOf } from '../../../infra/openapi/error-codes.ts';

const codesOf = (endpoint: Partial<Endpoint> = {}) =>
  errorCodesOf({
    route: 'POST /x',
    access: 'anybody',
    answers: {},
    lambda: { tableActions: [] },
    words: { section: 'Emails', summary: 'x', description: 'x' },
    ...endpoint,
  });

/** What any endpoint may answer when something is wrong with the service. */
const faults = ['contact_digest_mismatch', 'stored_item_unreadable', 'internal_error'];

describe("an endpoint's error codes", () => {
  it('always include a server error', () => {
    expect(codesOf()).toEqual(faults);
  });

  it('follow from who may call it', () => {
    expect(codesOf({ access: { key: 'required' } })).toEqual([
      'invalid_api_key',
      'test_key',
      ...faults,
    ]);
    expect(codesOf({ access: { key: 'optional', scope: 'read_sends' } })).toEqual([
      'invalid_api_key',
      'missing_scope',
      'test_key',
      ...faults,
    ]);
    expect(codesOf({ access: { key: 'required', takesTestKeys: true } })).not.toContain('test_key');
    for (const freshSession of [true, ['url']] as const) {
      expect(codesOf({ access: { key: 'required', freshSession } })).toEqual(
        expect.arrayContaining(['key_confirmation_required', 'recent_sign_in_required']),
      );
    }
    expect(
      codesOf({ access: { key: 'required', scope: ['read_sends', 'manage_organization'] } }),
    ).toContain('missing_scope');
    expect(codesOf({ access: 'cron_secret' })).toContain('invalid_cron_secret');
  });

  it('follow from a body of JSON', () => {
    const codes = ['malformed_json', 'unsupported_content_type', 'validation_failed'];
    const body = z.object({});

    expect(codesOf({ body })).toEqual([...codes, 'too_large', ...faults]);
    expect(codesOf({ body, access: { key: 'optional' } })).toContain('too_large');
    expect(codesOf({ body, access: { key: 'required' } })).not.toContain('too_large');
  });

  it('follow from a body of CSV', () => {
    expect(codesOf({ accepts: ['text/csv'], body: csvFile })).toEqual([
      'unsupported_content_type',
      'validation_failed',
      ...faults,
    ]);
  });

  it("don't follow from a form, which may have any field", () => {
    const codes = codesOf({
      accepts: ['application/x-www-form-urlencoded'],
      body: z.object({ token: z.optional(z.string()) }),
    });

    expect(codes).toEqual(faults);
  });

  it('follow from a query that may be invalid', () => {
    const free = z.object({ token: z.optional(z.string()) });
    const bounded = z.object({ limit: z.optional(z.string().check(z.maxLength(3))) });

    expect(codesOf({ query: free })).not.toContain('validation_failed');
    expect(codesOf({ query: bounded })).toContain('validation_failed');
  });

  it('name each code once, with those of its operation', () => {
    const codes = codesOf({ errors: ['send_not_found', 'internal_error'] });

    expect(codes).toEqual([...faults, 'send_not_found']);
  });
});
