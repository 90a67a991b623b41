/** Downloads a file made on this page. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has long started reading it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
