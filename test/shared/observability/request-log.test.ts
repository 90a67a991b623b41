import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { countOf, durationOf } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { captureOutput } from '../../support/captured-output.ts';

const address = 'ann@example.com';

const linesOf = (text: string) =>
  text
    .split('\n')
    // Powertools warns of a missing namespace if another file of this worker opened the metrics without one.
    .filter((line) => line.startsWith('{'))
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the request log', () => {
  it('writes one JSON line with the message, its level and the fields', () => {
    const output = captureOutput();

    openRequestLog({ requestId: 'request-1' }).warn('looked odd', { count: 2 });

    expect(linesOf(output.text())).toEqual([
      expect.objectContaining({
        level: 'WARN',
        message: 'looked odd',
        requestId: 'request-1',
        count: 2,
      }),
    ]);
  });

  it('puts bound fields on every later line', () => {
    const output = captureOutput();
    const log = openRequestLog({ requestId: 'request-1' });

    log.info('before');
    log.bind({ feedbackId: 'fbk_1' });
    log.info('after');

    const [before, after] = linesOf(output.text());
    expect(before).not.toHaveProperty('feedbackId');
    expect(after).toMatchObject({ requestId: 'request-1', feedbackId: 'fbk_1' });
  });

  it('carries metrics in the line that says the same, each with its own dimensions', () => {
    vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'TransactionalEmail');
    const output = captureOutput();

    openRequestLog({ requestId: 'request-1' }).info('send settled', { count: 2 }, [
      countOf('SendSettled', { endpoint: 'send', status: 'sent' }),
      durationOf('ProviderEventLag', 5),
    ]);
    openRequestLog({}).info('next');

    const [line, next] = linesOf(output.text());
    expect(line).toMatchObject({
      message: 'send settled',
      requestId: 'request-1',
      count: 2,
      endpoint: 'send',
      status: 'sent',
      SendSettled: 1,
      ProviderEventLag: 5,
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Dimensions: [['service', 'endpoint', 'status']],
            Metrics: [{ Name: 'SendSettled', Unit: 'Count' }],
          },
          {
            Dimensions: [['service']],
            Metrics: [{ Name: 'ProviderEventLag', Unit: 'Milliseconds' }],
          },
        ],
      },
    });
    expect(next).not.toHaveProperty('_aws');
  });

  it.each([
    ['DEBUG', ['debug', 'info', 'warn', 'error']],
    ['INFO', ['info', 'warn', 'error']],
    ['WARN', ['warn', 'error']],
    ['ERROR', ['error']],
  ])('at %s writes these lines, and the metrics of all', (level, messages) => {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', level);
    vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'TransactionalEmail');
    const output = captureOutput();
    const log = openRequestLog({});

    log.debug('debug', {}, [countOf('SendReplayed')]);
    log.info('info', {}, [countOf('SendSettled')]);
    log.warn('warn', {}, [countOf('ProviderEventIgnored', { reason: 'foreign topic' })]);
    log.error('error', new Error('x'), {}, [countOf('ProviderEventNotMarked')]);

    const lines = linesOf(output.text());
    expect(lines.flatMap(({ message = [] }) => message)).toEqual(messages);
    const counted = [
      'SendReplayed',
      'SendSettled',
      'ProviderEventIgnored',
      'ProviderEventNotMarked',
    ];
    for (const name of counted) {
      expect(lines.filter((line) => line[name] === 1 && '_aws' in line)).toHaveLength(1);
    }
  });

  it.each([
    ['1', { xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793' }],
    ['0', {}],
  ])('names the trace of a request only if it is sampled: %s', (sampled, expected) => {
    const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047';
    vi.stubEnv('_X_AMZN_TRACE_ID', `${trace};Sampled=${sampled};Lineage=1:0`);
    const output = captureOutput();

    openRequestLog({}).info('sent');

    const { xray_trace_id } = linesOf(output.text())[0] ?? {};
    expect(xray_trace_id === undefined ? {} : { xray_trace_id }).toEqual(expected);
  });

  it('keeps the fields of one request off the lines of another', () => {
    const output = captureOutput();
    const [one, other] = [openRequestLog({ requestId: '1' }), openRequestLog({ requestId: '2' })];

    one.bind({ feedbackId: 'fbk_1' });
    other.info('mine');

    expect(linesOf(output.text())[0]).toMatchObject({ requestId: '2' });
    expect(linesOf(output.text())[0]).not.toHaveProperty('feedbackId');
  });

  it.each([
    ['an error', new TypeError(`cannot send to ${address}`)],
    ['an error of several lines', new Error(`refused:\n${address}\n  ${address}`)],
    ['an error whose message looks like a frame', new Error(`refused\n    at ${address}`)],
    ['a cause', new Error('failed', { cause: new Error(address) })],
    ['a cause like a frame', new Error('x', { cause: new Error(`refused\n at ${address}`) })],
    ['an error with the address as a property', Object.assign(new Error('x'), { address })],
    ['an error whose message was set later', lateMessage()],
    ['an aggregate', new AggregateError([new Error(address)], address)],
    ['a string', address],
    ['an object', { address }],
  ])('never writes what %s quotes', (_what, thrown) => {
    const output = captureOutput();

    openRequestLog({ requestId: 'request-1' }).error('request failed', thrown);

    expect(output.text()).toContain('request failed');
    expect(output.text()).not.toContain(address);
  });

  it('says where an error came from and what class it is', () => {
    const output = captureOutput();

    openRequestLog({}).error('request failed', new RangeError('secret'));

    const [line] = linesOf(output.text());
    expect(line).toMatchObject({ level: 'ERROR', errorName: 'RangeError' });
    expect(line?.['stack']).toContain('request-log.test.ts');
  });

  it('says the same of the cause', () => {
    const output = captureOutput();
    const cause = new RangeError('secret');

    openRequestLog({}).error('request failed', new Error('x', { cause }));

    const [line] = linesOf(output.text());
    expect(line).toMatchObject({ errorName: 'Error', causeName: 'RangeError' });
    expect(line?.['causeStack']).toContain('request-log.test.ts');
  });
});

function lateMessage(): Error {
  const error = new Error('UnknownError');
  error.message = address;
  return error;
}
