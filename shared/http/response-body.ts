import * as z from 'zod/mini';

// What the `responseSchema` of a function says when it answers no JSON.

/** The answer is a page for a person. */
export const htmlPage = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/html; charset=utf-8' });

/** The answer is a script. */
export const scriptFile = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/javascript' });

/** The answer is a style sheet. */
export const styleFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/css' });

/** The answer is text. */
export const textFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/plain' });

/** The answer is a document in Markdown (RFC 7763). */
export const markdownFile = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/markdown' });

/** The answer is what the documents search, for their own script. */
export const searchIndexFile = z.array(z.looseObject({ title: z.string(), address: z.string() }));

/** The answer is a transparent picture of one pixel. */
export const gifImage = z.string().register(z.globalRegistry, { contentMediaType: 'image/gif' });

/** The answer, or a body, is CSV (RFC 4180). */
export const csvFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/csv' });

/** The answer is the OpenAPI description of the service, as it was built. */
export const openApiDescription = z.looseObject({ openapi: z.literal('3.1.1') });
