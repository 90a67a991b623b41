import * as z from 'zod/mini';

// `responseSchema`s of functions that don't answer JSON.

export const htmlPage = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/html; charset=utf-8' });

export const scriptFile = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/javascript' });

export const styleFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/css' });

export const textFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/plain' });

export const markdownFile = z
  .string()
  .register(z.globalRegistry, { contentMediaType: 'text/markdown' });

/** Searched by the documents' own script. */
export const searchIndexFile = z.array(z.looseObject({ title: z.string(), address: z.string() }));

export const gifImage = z.string().register(z.globalRegistry, { contentMediaType: 'image/gif' });

/** RFC 4180. */
export const csvFile = z.string().register(z.globalRegistry, { contentMediaType: 'text/csv' });

export const openApiDescription = z.looseObject({ openapi: z.literal('3.1.1') });
