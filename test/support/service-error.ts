import { ServiceError } from '#shared/errors/service-error';

/** The ServiceError that `run` ends in; anything else it throws goes on, and no error is an error. */
export async function serviceErrorOf(run: () => unknown): Promise<ServiceError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('expected a ServiceError, but nothing was thrown');
}
