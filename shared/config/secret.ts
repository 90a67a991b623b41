import { type IncomingMessage, get as openHttp, type RequestOptions } from 'node:http';
import * as z from 'zod/mini';

const answerSchema = z.object({ SecretString: z.string() });
const keptForMs = 300_000;

/**
 * Reads a secret through the AWS Parameters and Secrets Lambda Extension: a layer that listens on
 * this port beside the function, so that no SDK client is loaded for it. The extension answers only
 * once the function's initialisation is over: call it from a request, not from module scope.
 *
 * Source: Secrets Manager user guide, "Use AWS Secrets Manager secrets in AWS Lambda functions".
 *
 * @returns a reader that keeps the parsed secret for five minutes, so that a rotation reaches every
 *   function without a restart.
 */
export function secretReader<Schema extends z.core.$ZodType>(
  secretId: string,
  schema: Schema,
): () => Promise<z.output<Schema>> {
  let kept: { readonly until: number; readonly secret: Promise<z.output<Schema>> } | undefined;
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.secret;
    const secret = readSecret(secretId).then((text) => z.parse(schema, text));
    kept = { until: Date.now() + keptForMs, secret };
    try {
      return await secret;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}

async function readSecret(secretId: string): Promise<string> {
  const port = process.env['PARAMETERS_SECRETS_EXTENSION_HTTP_PORT'] ?? '2773';
  const response = await get(
    `http://127.0.0.1:${port}/secretsmanager/get?secretId=${encodeURIComponent(secretId)}`,
    {
      headers: { 'X-Aws-Parameters-Secrets-Token': process.env['AWS_SESSION_TOKEN'] ?? '' },
      signal: AbortSignal.timeout(5_000),
      // No connection is kept, which the extension might close while the sandbox is frozen.
      agent: false,
    },
  );
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  if (response.statusCode !== 200) {
    throw new Error(`The secrets extension answered ${response.statusCode}`);
  }
  return answerSchema.parse(JSON.parse(text)).SecretString;
}

/** Not by `fetch`, which would load an HTTP client of its own (undici): 15 ms of the first request. */
function get(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  openHttp(url, options, resolve).on('error', reject);
  return promise;
}
