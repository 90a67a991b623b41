import * as z from 'zod';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});
type Problem = z.output<typeof problemSchema>;

/** The service refused a request. */
export class ApiProblem extends Failure {
  readonly #status: number;
  readonly #problem: Problem;

  constructor(status: number, problem: Problem) {
    super(exitCodeOf(status), problem.code, problem.detail);
    this.#status = status;
    this.#problem = problem;
  }

  override toJson(): Readonly<Record<string, unknown>> {
    return { ...this.#problem, status: this.#status, exitCode: this.exitCode };
  }

  override lines(): readonly string[] {
    const { code, detail, requestId, errors } = this.#problem;
    return [
      // Its detail is the first of the faults.
      code === 'validation_failed' && errors.length > 0 ? 'The request is not valid.' : detail,
      ...errors.map(({ path, message }) => `  ${path}: ${message}`),
      ...(hints.get(code) ?? []).map((hint) => `  → ${hint}`),
      `  ${[code, requestId && `request ${requestId}`].filter(Boolean).join(', ')}`,
    ];
  }
}

/** What to type next, by the code of the problem. The service itself speaks of its endpoints. */
const hints: ReadonlyMap<string, readonly string[]> = new Map([
  ['identity_not_found', ['npm run manage -- identity set --domain … --from-email …']],
  [
    'suppression_not_found',
    ['An unsubscription too: npm run manage -- suppressions lift … --reason unsubscribe'],
  ],
  ['invalid_api_key', ['The key comes from --key-file, else from EMAIL_SERVICE_KEY.']],
]);

/** Reads an answer that is no success: problem details (RFC 9457), or what HTTP API says itself. */
export function toApiProblem(response: Response, body: unknown): ApiProblem {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const problem = problemSchema.safeParse(body);
  if (problem.success) return new ApiProblem(response.status, { requestId, ...problem.data });
  const detail = `${response.url} answered ${response.status} without saying why.`;
  const code = `http_${response.status}`;
  return new ApiProblem(response.status, { code, detail, requestId, errors: [] });
}

function exitCodeOf(status: number): ExitCode {
  if (status === 400 || status === 413 || status === 422) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 412) return exitCodes.conflict;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.failed;
}
