"""Pages of the second step: allauth's views with access rules."""

from __future__ import annotations

from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as base
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from accounts.second_step.adapter import get_adapter
from accounts.views import for_newcomers, for_registered


class _Remove(webauthn.RemoveWebAuthnView):
    """View that refuses to remove the last second step of staff who need one."""

    def form_valid(self, form: Any) -> HttpResponse:
        adapter = get_adapter()
        if not adapter.can_delete_authenticator(self.get_object()):
            messages.error(self.request, str(adapter.error_messages["cannot_delete_authenticator"]))
            return redirect("mfa_index")
        answer: HttpResponse = super().form_valid(form)
        return answer


class _ReauthenticatePasskey(webauthn.ReauthenticateWebAuthnView):
    """View that shows errors on its own page. allauth would redirect to the login page."""

    def form_invalid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return answer

    def get_context_data(self, **kwargs: Any) -> Any:
        return {**super().get_context_data(**kwargs), **kwargs}


class _Login(webauthn.LoginWebAuthnView):
    """View that shows the error of a refused passkey on the login page."""

    def form_invalid(self, form: Any) -> HttpResponse:
        for text in form.non_field_errors():
            messages.error(self.request, text)
        return redirect("account_login")


@for_registered
def list_passkeys(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that lists all second steps."""
    return redirect("mfa_index")


index = never_cache(for_registered(base.index))
authenticate = login_not_required(never_cache(base.authenticate))
confirm_password = never_cache(for_registered(account.reauthenticate))
confirm_code = never_cache(for_registered(base.reauthenticate))
confirm_passkey = never_cache(for_registered(_ReauthenticatePasskey.as_view()))
activate_app = never_cache(for_registered(totp.activate_totp))
deactivate_app = never_cache(for_registered(totp.deactivate_totp))
recovery_codes = never_cache(for_registered(recovery.view_recovery_codes))
new_recovery_codes = never_cache(for_registered(recovery.generate_recovery_codes))
download_recovery_codes = for_registered(recovery.download_recovery_codes)
add_passkey = never_cache(for_registered(webauthn.add_webauthn))
rename_passkey = never_cache(for_registered(webauthn.edit_webauthn))
remove_passkey = never_cache(for_registered(_Remove.as_view()))
login_passkey = login_not_required(never_cache(for_newcomers(_Login.as_view())))
