import { describe, expect, it } from 'vitest';
import { failureClassOf } from '#shared/outbound/guarded-connection';

/** As a connection fails in Node: an error with a code. */
const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('the class of a failed connection', () => {
  it.each([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
  ])('is tls_error for %s', (code) => {
    expect(failureClassOf(failure(code))).toBe('tls_error');
  });

  it.each([
    ['ECONNREFUSED', 'econnrefused'],
    ['ECONNRESET', 'econnreset'],
    ['EAI_AGAIN', 'name_not_resolved'],
  ])('is another for %s', (code, expected) => {
    expect(failureClassOf(failure(code))).toBe(expected);
  });
});
