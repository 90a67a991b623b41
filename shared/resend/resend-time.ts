import * as z from 'zod/mini';

/** ISO 8601. */
export const resendTimeSchema = z.string();

/** @param time epoch milliseconds. */
export const resendTime = (time: number): string => new Date(time).toISOString();
