import { Logger } from '@aws-lambda-powertools/logger';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import type { Metric } from './metrics.ts';
import { withSourceLine } from './source-lines.ts';

/**
 * What may be logged: ids, codes, counts. Never an address, a subject, a body, a token, a key, nor
 * an error's message, since those quote what they choke on. A send is named by its feedback id: the send id
 * alone may read it.
 */
export type LogFields = Readonly<Record<string, LogValue>>;
type LogValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/**
 * The log of one request: every line carries the fields bound so far. Metrics that say the same as a line go into it, as
 * CloudWatch bills both by the byte.
 */
export type RequestLog = {
  bind(fields: LogFields): void;
  /** Opens a log of part of the request: it has the fields bound so far, and what it binds stays in it. */
  part(fields: LogFields): RequestLog;
  info(message: string, fields?: LogFields, metrics?: readonly Metric[]): void;
  warn(message: string, fields?: LogFields, metrics?: readonly Metric[]): void;
  error(message: string, error: unknown, fields?: LogFields, metrics?: readonly Metric[]): void;
};

const logger = new Logger();

/** Opens the log of one request; `fields` are on each of its lines. */
export function openRequestLog(fields: LogFields): RequestLog {
  let bound = fields;
  return {
    bind: (more) => {
      bound = { ...bound, ...more };
    },
    part: (more) => openRequestLog({ ...bound, ...more }),
    info: (message, more, metrics) => write('info', message, { ...bound, ...more }, metrics),
    warn: (message, more, metrics) => write('warn', message, { ...bound, ...more }, metrics),
    error: (message, error, more, metrics) =>
      write('error', message, { ...bound, ...more, ...describeError(error) }, metrics),
  };
}

type Level = 'info' | 'warn' | 'error';

/** Which lines a deployment that wants only these leaves out. */
const leftOut: Readonly<Record<string, readonly Level[]>> = {
  WARN: ['info'],
  ERROR: ['info', 'warn'],
};

/** Lines are left out here, not by Lambda's filter, which would leave out their metrics. */
function write(
  level: Level,
  message: string,
  fields: LogFields,
  metrics: readonly Metric[] = [],
): void {
  const wanted = process.env['POWERTOOLS_LOG_LEVEL'] ?? 'INFO';
  if (leftOut[wanted]?.includes(level)) {
    for (const metric of metrics) process.stdout.write(`${JSON.stringify(metric)}\n`);
  } else logger[level](message, { ...fields, ...fieldsOf(metrics) });
}

/** Of two metrics with the same name or dimension, each needs its own line. */
function fieldsOf(metrics: readonly Metric[]): Readonly<Record<string, unknown>> {
  const [first] = metrics;
  if (first === undefined) return {};
  // The line has the service already, as the logger's own field.
  const { service: _service, ...fields } = Object.assign({}, ...metrics);
  const CloudWatchMetrics = metrics.flatMap(({ _aws }) => _aws.CloudWatchMetrics);
  return { ...fields, _aws: { ...first._aws, CloudWatchMetrics } };
}

/** The class and stack frames of an error and of its cause, without their messages. */
function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const cause = error.cause instanceof Error ? error.cause : undefined;
  return {
    errorName: error.name,
    stack: framesOf(error),
    causeName: cause?.name,
    causeStack: cause && framesOf(cause),
    ...unreadable([error, cause]),
  };
}

/** Which stored item could not be read, and which of its fields are at fault. */
function unreadable(errors: readonly (Error | undefined)[]): LogFields {
  const found = errors.find((error) => error instanceof UnreadableItemError);
  return found === undefined ? {} : { item: found.item, itemFields: found.fields };
}

/** A stack begins with the message, and a line of the message may look like a frame. */
const framesOf = ({ stack, message }: Error): string | undefined =>
  stack
    ?.replace(message, '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .map(withSourceLine)
    .join('\n');
