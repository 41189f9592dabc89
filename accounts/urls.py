"""Addresses of accounts, those of allauth that this site uses."""

from django.urls import path, re_path

from accounts import views

urlpatterns = [
    path("signup/", views.signup, name="account_signup"),
    re_path(r"^invited/(?P<key>[-:\w]+)/$", views.invited, name="account_invited"),
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
]
