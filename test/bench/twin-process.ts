import * as z from 'zod';
import { type Child, startChild } from './child-process.ts';

const twinSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  tableName: z.string(),
  endpoints: z.object({ dynamodb: z.string() }),
});
export type Twin = z.output<typeof twinSchema>;

/**
 * Starts the twin in a process of its own.
 *
 * @param file the twin of another checkout.
 */
export const startTwin = (
  env: Readonly<Record<string, string>> = {},
  file = 'twin.ts',
): Promise<Child<Twin>> => startChild(file, { env }, twinSchema);

/** Starts a load generator for it, in a process of its own as well. */
export const startLoad = ({ baseUrl, apiKey }: Twin): Promise<Child<object>> =>
  startChild('load-generator.ts', { baseUrl, apiKey }, z.object({}));
