/** Lets the browser save a file that was put together here. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it long before.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
