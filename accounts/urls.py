"""URLs of accounts, including the allauth views that Parlour uses."""

from django.urls import path, re_path

from accounts import views
from accounts.second_step import views as second_step
from accounts.welcome import welcome

urlpatterns = [
    path("signup/", views.signup, name="account_signup"),
    re_path(r"^invited/(?P<key>[-:\w]+)/$", views.invited, name="account_invited"),
    path("welcome/<uidb64>/<token>/", welcome, name="account_welcome"),
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.inactive, name="account_inactive"),
    path("email/", views.email, name="account_email"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"
    ),
    path("password/change/", views.change_password, name="account_change_password"),
    path("password/set/", views.set_password, name="account_set_password"),
    path("password/reset/", views.reset_password, name="account_reset_password"),
    path("password/reset/done/", views.reset_password_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("confirm/", second_step.confirm_password, name="account_reauthenticate"),
    path("confirm/code/", second_step.confirm_code, name="mfa_reauthenticate"),
    path("confirm/passkey/", second_step.confirm_passkey, name="mfa_reauthenticate_webauthn"),
    path("login/passkey/", second_step.login_passkey, name="mfa_login_webauthn"),
    path("login/code/", second_step.authenticate, name="mfa_authenticate"),
    path("two-step/", second_step.index, name="mfa_index"),
    path("two-step/app/", second_step.activate_app, name="mfa_activate_totp"),
    path("two-step/app/remove/", second_step.deactivate_app, name="mfa_deactivate_totp"),
    path("two-step/codes/", second_step.recovery_codes, name="mfa_view_recovery_codes"),
    path("two-step/codes/new/", second_step.new_recovery_codes, name="mfa_generate_recovery_codes"),
    path(
        "two-step/codes/file/",
        second_step.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path("two-step/passkeys/", second_step.list_passkeys, name="mfa_list_webauthn"),
    path("two-step/passkeys/add/", second_step.add_passkey, name="mfa_add_webauthn"),
    path("two-step/passkeys/<int:pk>/name/", second_step.rename_passkey, name="mfa_edit_webauthn"),
    path(
        "two-step/passkeys/<int:pk>/remove/",
        second_step.remove_passkey,
        name="mfa_remove_webauthn",
    ),
]
