export const SignInLink = () => <a href="/dashboard/sign-in">Sign in</a>;
