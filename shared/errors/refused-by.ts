/** A log has an error's name, not its message, so the status is in both. */
export function refusedBy(service: string, status: number | undefined): Error {
  const error = new Error(`${service} answered ${status}`);
  error.name = `${service.replaceAll(' ', '')}Answered${status}`;
  return error;
}
