import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import type { Metric } from './metrics.ts';
import { withSourceLine } from './source-lines.ts';

/**
 * May contain ids, codes and counts, but never an address, a subject, a body, a token, a key or an error's message,
 * which may quote its cause. A send is named by its feedback id, because its send id alone may be enough to read it.
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

/** Every line has the fields bound so far. Metrics that say the same go into it: CloudWatch bills by the byte. */
export type RequestLog = {
  bind(fields: LogFields): void;
  part(fields: LogFields): RequestLog;
  /** For facts that are also in the metrics and the table. */
  debug(message: string, fields?: LogFields, metrics?: readonly Metric[]): void;
  info(message: string, fields?: LogFields, metrics?: readonly Metric[]): void;
  warn(message: string, fields?: LogFields, metrics?: readonly Metric[]): void;
  error(message: string, error: unknown, fields?: LogFields, metrics?: readonly Metric[]): void;
};

/** `fields` are on every line. */
export function openRequestLog(fields: LogFields): RequestLog {
  let bound = fields;
  return {
    bind: (more) => {
      bound = { ...bound, ...more };
    },
    part: (more) => openRequestLog({ ...bound, ...more }),
    debug: (message, more, metrics) => write('debug', message, { ...bound, ...more }, metrics),
    info: (message, more, metrics) => write('info', message, { ...bound, ...more }, metrics),
    warn: (message, more, metrics) => write('warn', message, { ...bound, ...more }, metrics),
    error: (message, error, more, metrics) =>
      write('error', message, { ...bound, ...more, ...describeError(error) }, metrics),
  };
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** By the lowest level that a deployment wants. */
const leftOut: Readonly<Record<string, readonly Level[]>> = {
  INFO: ['debug'],
  WARN: ['debug', 'info'],
  ERROR: ['debug', 'info', 'warn'],
};

/** Only keys that Lambda's JSON format knows: CloudWatch bills by the byte. */
class ShortLines extends LogFormatter {
  override formatAttributes(line: UnformattedAttributes, fields: LogAttributes): LogItem {
    const attributes = {
      level: line.logLevel,
      message: line.message,
      timestamp: this.formatTimestamp(line.timestamp),
      service: line.serviceName,
      version: serviceVersion(),
      xray_trace_id: isTraced() ? line.xRayTraceId : undefined,
    };
    return new LogItem({ attributes }).addAttributes(fields);
  }
}

/** Lambda names the trace of every request, but X-Ray keeps only some. */
const isTraced = (): boolean => process.env['_X_AMZN_TRACE_ID']?.includes('Sampled=1') ?? false;

// It reads its own level once, from the environment. `write` has decided before that.
const logger = new Logger({ logFormatter: new ShortLines(), logLevel: 'DEBUG' });

/** Lines are left out here, not by Lambda's filter, which would drop their metrics too. */
function write(
  level: Level,
  message: string,
  fields: LogFields,
  metrics: readonly Metric[] = [],
): void {
  const leastLevel = process.env['POWERTOOLS_LOG_LEVEL'] ?? 'INFO';
  if (leastLevel === 'SILENT') return;
  if (leftOut[leastLevel]?.includes(level)) {
    for (const metric of metrics) process.stdout.write(`${JSON.stringify(metric)}\n`);
  } else logger[level](message, { ...fields, ...fieldsOf(metrics) });
}

/** Two metrics with the same name or dimension need a line each. */
function fieldsOf(metrics: readonly Metric[]): Readonly<Record<string, unknown>> {
  const [first] = metrics;
  if (first === undefined) return {};
  const CloudWatchMetrics = metrics.flatMap(({ _aws }) => _aws.CloudWatchMetrics);
  // The line has the service already, as the logger's own field.
  const { service: _service, ...fields } = Object.assign({}, ...metrics);
  return { ...fields, _aws: { ...first._aws, CloudWatchMetrics } };
}

/** Class and stack frames of an error and of its cause, without their messages. */
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

function unreadable(errors: readonly (Error | undefined)[]): LogFields {
  const found = errors.find((error) => error instanceof UnreadableItemError);
  return found === undefined ? {} : { item: found.item, itemFields: found.fields };
}

const framesOf = ({ stack, message }: Error): string | undefined =>
  stack
    ?.replace(message, '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .map(withSourceLine)
    .join('\n');

/**
 * `package.json`'s version, which the deployment sets; `undefined` elsewhere. Read each time, because the twin sets it
 * after modules are loaded.
 */
export const serviceVersion = (): string | undefined => process.env['SERVICE_VERSION'];
