const mark = 'signedIn';

/** Whether somebody was signed in when a page of this browser last looked. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return false;
  }
}

/** Keeps for the other pages whether somebody is signed in; never who. */
export function markSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(mark, 'yes');
    else localStorage.removeItem(mark);
  } catch {
    // Storage is switched off: each page waits until the relay has said who is there.
  }
}
