/** Opens an event stream; `ended` resolves when it closes. */
export async function openStream(url: string, token: string) {
  const response = await fetch(`${url}/auth/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body?.getReader();
  await reader?.read();
  const drain = async (): Promise<true> => {
    while (!(await reader?.read())?.done);
    return true;
  };
  return { status: response.status, ended: drain().catch(() => true), cancel: () => reader?.cancel() };
}
