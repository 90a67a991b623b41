import * as z from 'zod';
import type { HttpResponse } from '#shared/http/http-response';

const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** The problem details (RFC 9457) in a response's body, with no member beyond those that every answer has. */
export const problemIn = (response: HttpResponse): Problem =>
  problemSchema.parse(JSON.parse(response.body));
