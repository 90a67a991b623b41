/** Lets the browser save a file made on this page. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser starts reading it long before that.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
